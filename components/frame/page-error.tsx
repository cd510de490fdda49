'use client'
import { createContext, type ReactNode, useContext } from 'react'
import { Button } from '../ui/button'
import { CircleAlert } from '../ui/icon'
import { ButtonLink } from '../ui/link'
import { MessageCard } from './message-card'

/**
 * The text of the failure page, which replaces a page that could not be rendered. The text is in the reader's
 * language.
 */
export type FailureWords = {
  language: string
  direction: 'ltr' | 'rtl'
  title: string
  why: string
  advice: string
  reference: string
  again: string
  start: string
}

const Words = createContext<FailureWords | undefined>(undefined)

/**
 * Provides the text of the failure page. The server sends the text with each page, before a failure can
 * happen, because the message catalogs are not available in the browser.
 */
export const FailureWordsProvider = ({ words, children }: { words: FailureWords; children: ReactNode }) => (
  <Words value={words}>{children}</Words>
)

/** Returns the text of the failure page. @throws Error outside the layout that provides the text */
function useFailureWords(): FailureWords {
  const words = useContext(Words)
  if (!words) throw new Error('FailureWordsProvider is missing above this component')
  return words
}

/** Whether the frame already shows a heading for the page that could not be rendered. */
const UnderHeading = createContext(false)
export const UnderHeadingProvider = UnderHeading.Provider

type Failed = { error: Error & { digest?: string }; retry: () => void }

/**
 * The content of the failure page: the message, a button to try again, and a link to the start page. If the
 * error occurred on the server, the page also shows a reference, which is the digest that the server logged.
 */
export function PageError({ error, retry }: Failed) {
  const { language, direction, ...words } = useFailureWords()
  return (
    <div lang={language} dir={direction} className="text-base leading-6">
      <MessageCard
        icon={CircleAlert}
        tone="danger"
        title={words.title}
        level={useContext(UnderHeading) ? 'h2' : 'h1'}
        details={error.digest ? [{ label: words.reference, value: error.digest }] : []}
        action={
          <>
            <Button variant="primary" onClick={retry}>
              {words.again}
            </Button>
            <ButtonLink href="/">{words.start}</ButtonLink>
          </>
        }
      >
        <p>{words.why}</p>
        {error.digest && <p>{words.advice}</p>}
      </MessageCard>
    </div>
  )
}

/** Replaces a console page that could not be rendered. The frame stays. */
export function ConsoleError(failed: Failed) {
  return (
    <div className="max-w-card py-10">
      <PageError {...failed} />
    </div>
  )
}
