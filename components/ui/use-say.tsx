'use client'
import { createContext, type ReactNode, useContext } from 'react'
import type { Language } from '@/lib/base/language/languages'
import english from '@/lib/base/language/messages/shared/en.json'

type SharedKey = keyof typeof english
type Words = Readonly<Record<SharedKey, string>>

const Spoken = createContext<{ language: Language; words: Words }>({ language: 'en', words: english })

/**
 * What stands inside speaks this language; without it, as everywhere in the console, English (ADR 0038).
 * @param words the messages of forms that the console shares with the auth pages, in that language
 */
export const Speaking = ({
  language,
  words,
  children,
}: {
  language: Language
  words: Words
  children: ReactNode
}) => <Spoken value={{ language, words }}>{children}</Spoken>

/**
 * The translator of a component that the console shares with the auth pages.
 * @returns a function of a message's name and its arguments, with the language
 */
export function useSay() {
  const { language, words } = useContext(Spoken)
  const say = (key: SharedKey, values: Record<string, string | number> = {}): string =>
    words[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]))
  return Object.assign(say, { language })
}

/** A message as an element, for a component that the server draws. */
export const Said = ({ of }: { of: SharedKey }) => useSay()(of)
