import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { profileInput, profileOf, supportHref } from './app-profile'

const refused = (given: object, website?: string) => {
  const parsed = z.object(profileInput(website)).safeParse(given)
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path[0])
}

describe('profileInput', () => {
  it.each([
    ['description', 'Official \u202eapp'],
    ['description', 'By Latchkey itself'],
    ['description', '✅ Verified'],
    ['description', 'x'.repeat(201)],
    ['homepageUrl', 'http://deployer.example'],
    ['homepageUrl', 'javascript:alert(1)'],
    ['homepageUrl', 'https://bank.example@evil.example'],
    ['homepageUrl', 'https://bank.example/\u202egnp.exe'],
    ['support', 'call us'],
    ['support', 'mailto:help@deployer.example'],
    ['privacyUrl', 'data:text/html,hello'],
    ['termsUrl', '/terms'],
  ])('rejects the %s %j', (field, value) => {
    expect(refused({ [field]: value })).toEqual([field])
  })

  it('accepts valid values and empty text', () => {
    expect(
      refused({ description: 'Ships projects.', homepageUrl: 'https://d.example', support: 'a@d.example' }),
    ).toEqual([])
    expect(refused({ description: '', homepageUrl: '', support: '', privacyUrl: '', termsUrl: '' })).toEqual(
      [],
    )
  })

  it('accepts an unchanged website URL that the current rules reject', () => {
    expect(refused({ homepageUrl: 'http://localhost:4000' })).toEqual(['homepageUrl'])
    expect(refused({ homepageUrl: 'http://localhost:4000' }, 'http://localhost:4000')).toEqual([])
  })
})

it('a profile links only to https URLs and email addresses', () => {
  const profile = profileOf({
    homepageUrl: 'javascript:alert(1)',
    metadata: { contacts: ['javascript:alert(1)'], policy_uri: 'http://a.example', tos_uri: 7 },
  })
  expect(Object.values(profile)).toEqual([null, null, null, null, null])
  expect(supportHref('help@a.example')).toBe('mailto:help@a.example')
  expect(supportHref('https://a.example/help')).toBe('https://a.example/help')
})
