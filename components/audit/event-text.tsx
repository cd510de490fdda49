import type { ReactNode } from 'react'

/** The mark for the position of the subject in an action's text. In a text without this mark, the subject comes last. */
export const placeOfSubject = ' …'

/**
 * Shows the name of an event's subject, with the subject's project if it is known, and the ID on hover. Shows only the ID if
 * the name is unknown.
 */
export function EventSubject({
  id,
  name,
  project,
}: {
  id: string
  name: string | null
  project: string | null
}) {
  if (!name) {
    return (
      <span title={id} className="font-mono text-[13px] text-muted">
        {id}
      </span>
    )
  }
  return (
    <span title={`${name} (${id})`}>
      <bdi className="font-medium">{name}</bdi>
      {project && <span className="text-muted"> in {project}</span>}
    </span>
  )
}

/**
 * Shows an action's text with the subject at the mark: "made Ada Lovelace an instance admin". If the text has no mark, the
 * subject is at the end.
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
