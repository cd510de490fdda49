import { expect, it } from 'vitest'
import { byName, chooseLanguage } from './languages'

it('sorts names in natural order, and equal names by ID', () => {
  const things = [
    { id: '4', name: 'Billing 10' },
    { id: '3', name: 'Billing 2' },
    { id: '2', name: 'analytics' },
    { id: '1', name: 'Billing 10' },
  ]
  expect(things.sort(byName).map(({ id }) => id)).toEqual(['2', '3', '1', '4'])
})

it.each([
  ['nothing', {}, 'en'],
  ['English', { acceptLanguage: 'en-US,en;q=0.9,de;q=0.8' }, 'en'],
  ['a region', { acceptLanguage: 'de-AT' }, 'de'],
  ['weights, not the order', { acceptLanguage: 'fr;q=0.3, ja;q=0.9' }, 'ja'],
  ['the next where the first is not spoken', { acceptLanguage: 'sv, nb;q=0.9, es;q=0.5' }, 'es'],
  ['what is refused', { acceptLanguage: 'de;q=0, pt-BR;q=0.1' }, 'pt'],
  ['any language', { acceptLanguage: '*' }, 'en'],
  ['simplified Chinese by its region', { acceptLanguage: 'zh-CN' }, 'zh-Hans'],
  ['traditional Chinese', { acceptLanguage: 'zh-Hant-HK, zh-TW, fr' }, 'fr'],
  ['nonsense', { acceptLanguage: ';;q=,=,' }, 'en'],
  ['the app before the browser', { uiLocales: 'sv de en', acceptLanguage: 'fr' }, 'de'],
  ['an app that asks for what is not spoken', { uiLocales: 'tlh', acceptLanguage: 'fr' }, 'fr'],
  ['a choice before the app', { chosen: 'ar', uiLocales: 'de', acceptLanguage: 'fr' }, 'ar'],
  ['a choice that is none', { chosen: '"><b>', uiLocales: 'de' }, 'de'],
  ['a name that every object has', { chosen: 'toString', acceptLanguage: 'constructor' }, 'en'],
])('recognizes %s', (_what, wishes, language) => expect(chooseLanguage(wishes)).toBe(language))

it('limits the length of the list', () => {
  expect(chooseLanguage({ acceptLanguage: `${'sv,'.repeat(200)}de` })).toBe('en')
})
