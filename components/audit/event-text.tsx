import type { ReactNode } from 'react'
import { Breakable } from '../ui/breakable'
import type { PlaceWord } from './event-words'

/**
 * The mark for the position of the subject in an action's text. In a text without this mark, the subject
 * comes last.
 */
export const placeOfSubject = ' …'

/** Shows the name of an event's subject, with the ID on hover. Shows only the ID if the name is unknown. */
export function EventSubject({ id, name }: { id: string; name: string | null }) {
  if (!name) {
    return (
      <span title={id} className="font-mono text-[13px] text-muted">
        <Breakable text={id} />
      </span>
    )
  }
  return (
    <span title={`${name} (${id})`}>
      <bdi className="font-medium">
        <Breakable text={name} />
      </bdi>
    </span>
  )
}

/** The place of an event. A workspace or project that is null is not shown. */
export type Place = {
  word: PlaceWord
  workspace: { name: string; gone: boolean } | null
  project: string | null
}

/**
 * Shows the place of an event after its text, such as "in Acme / Website". Renders nothing if there is no
 * place.
 */
export function EventPlace({ word, workspace, project }: Place) {
  if (!workspace && !project) return null
  return (
    <span className="text-muted">
      {word && ` ${word}`} {workspace && <bdi>{workspace.name}</bdi>}
      {workspace?.gone && ' (deleted)'}
      {workspace && project && ' / '}
      {project && <bdi>{project}</bdi>}
    </span>
  )
}

/**
 * Shows an action's text with the subject at the mark: "made Ada Lovelace an instance admin". If the text has
 * no mark, the subject is at the end.
 * @param capital whether the text begins a sentence and therefore starts with a capital letter
 */
export function ActionText({
  words,
  capital = false,
  children,
}: {
  words: string
  capital?: boolean
  /** The name of the subject or project; undefined if the text is a complete sentence. */
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
