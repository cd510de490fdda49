import { expect, it } from 'vitest'
import { byName, chooseLanguage } from './languages'

it('byName sorts names in natural order and sorts equal names by ID', () => {
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
  ['weights before the order', { acceptLanguage: 'fr;q=0.3, ja;q=0.9' }, 'ja'],
  ['the next language if the first is not supported', { acceptLanguage: 'sv, nb;q=0.9, es;q=0.5' }, 'es'],
  ['a language with weight zero', { acceptLanguage: 'de;q=0, pt-BR;q=0.1' }, 'pt'],
  ['any language', { acceptLanguage: '*' }, 'en'],
  ['Simplified Chinese by its region', { acceptLanguage: 'zh-CN' }, 'zh-Hans'],
  ['Traditional Chinese, which is not supported', { acceptLanguage: 'zh-Hant-HK, zh-TW, fr' }, 'fr'],
  ['nonsense', { acceptLanguage: ';;q=,=,' }, 'en'],
  ['the app’s language before the browser’s', { uiLocales: 'sv de en', acceptLanguage: 'fr' }, 'de'],
  ['an app’s language that is not supported', { uiLocales: 'tlh', acceptLanguage: 'fr' }, 'fr'],
  [
    'the user’s choice before the app’s language',
    { chosen: 'ar', uiLocales: 'de', acceptLanguage: 'fr' },
    'ar',
  ],
  ['an invalid choice', { chosen: '"><b>', uiLocales: 'de' }, 'de'],
  ['the name of a built-in property', { chosen: 'toString', acceptLanguage: 'constructor' }, 'en'],
])('chooseLanguage returns the expected language for %s', (_what, wishes, language) =>
  expect(chooseLanguage(wishes)).toBe(language),
)

it('chooseLanguage ignores the end of a very long Accept-Language header', () => {
  expect(chooseLanguage({ acceptLanguage: `${'sv,'.repeat(200)}de` })).toBe('en')
})
