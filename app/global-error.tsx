'use client'
import { useSyncExternalStore } from 'react'
import { chooseLanguage, directionOf } from '@/lib/base/language/languages'
import { globalErrorTexts } from './global-error-texts'

const never = () => () => {}
/**
 * Returns the language that best matches the browser's settings. The page cannot read the language from the
 * request, because it runs in the browser.
 */
const preferred = () => chooseLanguage({ acceptLanguage: navigator.languages.join() })
const onServer = () => 'en' as const

/**
 * Replaces the page if the root layout failed. It uses none of the product's layouts, components, or styles,
 * because one of these might have caused the failure.
 */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  const language = useSyncExternalStore(never, preferred, onServer)
  const words = globalErrorTexts[language]
  return (
    <html lang={language} dir={directionOf(language)}>
      <body>
        <title>{words.title}</title>
        <h1>{words.title}</h1>
        <p>{words.why}</p>
        {error.digest && (
          <>
            <p>{words.advice}</p>
            <p>
              {words.reference}: <code>{error.digest}</code>
            </p>
          </>
        )}
        <form>
          <button type="submit">{words.again}</button>
        </form>
      </body>
    </html>
  )
}
