import { describe, expect, it } from 'vitest'
import { hosts } from '../config/checks'
import { asStoredAddress, domainName, domainOf, emailAddress, lowerAscii } from './email-address'

const parsed = (text: string) => emailAddress.safeParse(text).data

/**
 * Characters that `toLowerCase()` or compatibility normalization turns into ASCII: KELVIN SIGN, fullwidth k,
 * long s, dotted I.
 */
const turningAscii = ['\u212A', '\uFF4B', '\u017F', '\u0130']

describe('emailAddress', () => {
  it.each([
    [' Ada@Example.COM ', 'ada@example.com'],
    ["o'brien+tag_1@mail.example.co.uk", "o'brien+tag_1@mail.example.co.uk"],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@example.xn--p1ai', 'ada@example.xn--p1ai'],
  ])('returns %j in lowercase', (typed, stored) => {
    expect(parsed(typed)).toBe(stored)
  })

  it.each([
    ...turningAscii.flatMap((each) => [`${each}ate@example.com`, `kate@${each}example.com`]),
    'ada@bücher.example',
    'ada@example',
    'ada@example.c',
    'ada@-example.com',
    'ada@example..com',
    'ada@example.com.',
    'ada@192.0.2.1',
    'ada@[192.0.2.1]',
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    '"ada"@example.com',
    'ada@evil.test@example.com',
    'ada%evil.test@example.com',
    'ada@example.com\nbcc:x@evil.test',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'a.'.repeat(130)}com`,
    '',
  ])('rejects %j', (typed) => {
    expect(parsed(typed)).toBeUndefined()
  })
})

describe('domains', () => {
  it('are converted to lowercase if they are ASCII, and are rejected if they are not', () => {
    expect(domainName.safeParse(' Example.COM ').data).toBe('example.com')
    for (const each of turningAscii) {
      expect(domainName.safeParse(`${each}ite.example.com`).success, each).toBe(false)
      expect(hosts.safeParse(`${each}ite.example.com`).success, each).toBe(false)
    }
    expect(hosts.parse('Example.com, *.Example.ORG')).toEqual(['example.com', '*.example.org'])
  })

  it('are not equal if they differ in a non-ASCII character', () => {
    expect(lowerAscii('AZ\u212A\u0130')).toBe('az\u212A\u0130')
    expect(asStoredAddress(' \u212AATE@Example.com ')).toBe('\u212Aate@example.com')
    expect(domainOf('ada@\u212Aite.example')).not.toBe(domainOf('ada@kite.example'))
  })
})
