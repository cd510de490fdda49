import type { ReactNode } from 'react'
import { placeOfSubject } from './event-words'

/**
 * What was done and, where its words leave room for it, to what: "removed the app Deploy Bot for everyone".
 * @param capital it begins a sentence
 */
export function DeedWords({
  words,
  capital = false,
  children,
}: {
  words: string
  capital?: boolean
  /** The name of what it was done to. */
  children?: ReactNode
}) {
  const [before = '', after] = words.split(placeOfSubject)
  return (
    <>
      {capital ? before.replace(/^./, (first) => first.toUpperCase()) : before} {children}
      {after}
    </>
  )
}
