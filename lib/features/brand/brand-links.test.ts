import { expect, it } from 'vitest'
import { brandLinks } from './brand-links'

it('holds the links that are set, in their order', () => {
  expect(brandLinks({ PRIVACY_URL: '/privacy', HELP_URL: 'https://help.example.com' })).toEqual([
    { label: 'Help', href: 'https://help.example.com' },
    { label: 'Privacy', href: '/privacy' },
  ])
  expect(brandLinks({})).toEqual([])
})
