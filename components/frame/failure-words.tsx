'use client'
import { createContext, type ReactNode, useContext } from 'react'

/** The text of a page that could not be rendered, in the language of the reader. */
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

/** Passes the text down from the server, which knows the language, before a failure can happen. */
export const FailureWordsProvider = ({ words, children }: { words: FailureWords; children: ReactNode }) => (
  <Words value={words}>{children}</Words>
)

/** @throws Error outside of the layout that provides them */
export function useFailureWords(): FailureWords {
  const words = useContext(Words)
  if (!words) throw new Error('no words for a failure')
  return words
}
