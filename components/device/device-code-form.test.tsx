import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Language } from '@/lib/base/language/languages'
import { sayIn } from '@/lib/base/language/say'
import { DeviceDone } from './device-code-form'

const shown = (
  outcome: 'authorized' | 'denied',
  appName: string | undefined,
  language: Language = 'en',
): string => renderToStaticMarkup(<DeviceDone say={sayIn(language)} appName={appName} outcome={outcome} />)

it('the outcome page of the device flow keeps the case of an app’s name at the start of a sentence', () => {
  expect(shown('authorized', 'eBay')).toContain('<p>eBay is connected.')
  expect(shown('denied', 'eBay')).toContain('<p>eBay didn’t get access.')
})

it('the outcome page of the device flow starts sentences with a capital letter if the app’s name is unknown', () => {
  expect(shown('authorized', undefined)).toContain('<p>The app is connected.')
  expect(shown('denied', undefined, 'fr')).toContain('<p>L’application n’a obtenu')
  expect(shown('authorized', undefined, 'fr')).toContain('<p>Connexion réussie pour l’application.')
})
