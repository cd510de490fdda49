'use client'
import { createContext, type ReactNode, useContext } from 'react'

/** What a page says that could not be shown, in the language of the reader. */
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

/** Hands the words down from the server, which knows the language, before anything can fail. */
export const FailureWordsProvider = ({ words, children }: { words: FailureWords; children: ReactNode }) => (
  <Words value={words}>{children}</Words>
)

/** @throws Error outside of the layout that provides them */
export function useFailureWords(): FailureWords {
  const words = useContext(Words)
  if (!words) throw new Error('no words for a failure')
  return words
}
