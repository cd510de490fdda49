'use client'
import { useSyncExternalStore } from 'react'
import { chooseLanguage, directionOf } from '@/lib/base/language/languages'
import { lastWords } from './last-words'

const never = () => () => {}
/** What the browser prefers; the server that draws this page has lost the request. */
const preferred = () => chooseLanguage({ acceptLanguage: navigator.languages.join() })
const onServer = () => 'en' as const

/** The page when even the layout failed; it depends on nothing of the product but its words, styles included. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  const language = useSyncExternalStore(never, preferred, onServer)
  const words = lastWords[language]
  return (
    <html lang={language} dir={directionOf(language)}>
      <body>
        <title>{words.title}</title>
        <h1>{words.title}</h1>
        <p>{words.why}</p>
        <p>{words.advice}</p>
        {error.digest && (
          <p>
            {words.reference}: <code>{error.digest}</code>
          </p>
        )}
        <form>
          <button type="submit">{words.again}</button>
        </form>
      </body>
    </html>
  )
}
