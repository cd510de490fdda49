'use client'
import { createContext, type ReactNode, useContext } from 'react'
import type { Language } from '@/lib/base/language/languages'
import english from '@/lib/base/language/messages/shared/en.json'

type SharedKey = keyof typeof english
type Words = Readonly<Record<SharedKey, string>>

const Spoken = createContext<{ language: Language; words: Words }>({ language: 'en', words: english })

/**
 * Sets the language of its children. Without this provider, the language is English, as in the console (ADR
 * 0030).
 * @param words the messages that the console shares with the auth pages, in the language `language`
 */
export const LanguageProvider = ({
  language,
  words,
  children,
}: {
  language: Language
  words: Words
  children: ReactNode
}) => <Spoken value={{ language, words }}>{children}</Spoken>

/**
 * Returns the translator for components that the console shares with the auth pages.
 * @returns a function that returns the text of a message, given its key and values; the `language` property
 * of this function contains the language
 */
export function useSay() {
  const { language, words } = useContext(Spoken)
  const say = (key: SharedKey, values: Record<string, string | number> = {}): string =>
    words[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]))
  return Object.assign(say, { language })
}

/** Renders a message without values. Server components use it, because they cannot call `useSay`. */
export const SharedMessage = ({ of }: { of: SharedKey }) => useSay()(of)
