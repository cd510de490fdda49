import { describe, expect, it } from 'vitest'
import { claimFault } from './outside-claims'

const now = 1_800_000_000
const sound = { sub: 'a', iat: now, exp: now + 300 }
const fault = (changes: object, clientId?: string) =>
  claimFault({ ...sound, ...changes }, now * 1000, clientId)

describe('claimFault', () => {
  it.each([
    ['claims issued now', {}],
    ['a clock that is a minute ahead', { iat: now + 60, nbf: now + 60, auth_time: now + 60, exp: now + 90 }],
    ['a clock that is a minute behind', { iat: now - 300, exp: now - 59 }],
    ['a subject of 255 characters', { sub: 'x'.repeat(255) }],
    ['the client itself as the authorized party', { azp: 'us' }],
  ])('accepts %s', (_title, changes) => {
    expect(fault(changes, 'us')).toBeUndefined()
  })

  it.each([
    ['an empty sub', { sub: '' }, 'subject'],
    ['a blank sub', { sub: ' ' }, 'subject'],
    ['a missing sub', { sub: undefined }, 'subject'],
    ['a sub that is a number', { sub: 1 }, 'subject'],
    ['a sub of 256 characters', { sub: 'x'.repeat(256) }, 'subject'],
    ['a sub outside ASCII', { sub: '\u212A' }, 'subject'],
    ['a sub with a line break', { sub: 'a\n' }, 'subject'],
    ['a missing exp', { exp: undefined }, 'times'],
    ['an exp that is a string', { exp: `${now + 300}` }, 'times'],
    ['a missing iat', { iat: undefined }, 'times'],
    ['an nbf that is a string', { nbf: 'now' }, 'times'],
    ['an auth_time that is a string', { auth_time: 'now' }, 'times'],
    ['an exp before iat', { iat: now + 30, exp: now + 20 }, 'times'],
    ['an exp that has passed', { iat: now - 300, exp: now - 60 }, 'expired'],
    ['an iat hours in the future', { iat: now + 7200, exp: now + 9000 }, 'early'],
    ['an nbf in the future', { nbf: now + 61 }, 'early'],
    ['an auth_time in the future', { auth_time: now + 61 }, 'early'],
    ['another authorized party', { azp: 'them' }, 'authorized-party'],
    ['an authorized party that is not a string', { azp: null }, 'authorized-party'],
  ])('rejects %s', (_title, changes, expected) => {
    expect(fault(changes, 'us')).toBe(expected)
  })
})
