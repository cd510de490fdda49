'use client'
import { Avatar } from '../ui/avatar'
import { Breakable } from '../ui/breakable'
import { ChevronRight } from '../ui/icon'
import { TextLink } from '../ui/link'
import { Time } from '../ui/time'
import { ActionText, EventPlace, EventSubject, type Place } from './event-text'

/** The data for an event's row. */
export type LoggedEvent = {
  id: string
  who: string
  /** The ID or name that determines the color of the avatar. */
  tileOf: string
  /** The text of the action (see `ActionText`). */
  words: string
  /** The name of the project that follows the text. Null if no project follows it. */
  project: string | null
  /** The subject that the text names. Null if the text names no subject. */
  subject: { id: string; name: string | null } | null
  place: Place
  at: Date
  facts: { label: string; text: string; code: boolean }[]
  links: { href: string; text: string }[]
}

/**
 * Lists events. This is a client component to keep the page small: in addition to the HTML of the rows, the
 * server sends only the events' data. For a server component, the server would send the rendered rows twice,
 * as HTML and for React.
 */
export const EventRows = ({ events }: { events: LoggedEvent[] }) => (
  <ul aria-label="Audit log" className="event-rows">
    {events.map(({ id, who, tileOf, words, project, subject, place, at, facts, links }) => (
      <li key={id}>
        <details className="group">
          <summary>
            <ChevronRight className="size-4 shrink-0 text-faint group-open:rotate-90" />
            <Avatar name={who} id={tileOf} size="tiny" className="max-sm:hidden" />
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3">
              <span className="wrap-anywhere min-w-0 flex-1 basis-60">
                <bdi className="font-medium">
                  <Breakable text={who} />
                </bdi>{' '}
                <ActionText words={words}>
                  {project !== null && <bdi className="font-medium">{project}</bdi>}
                  {subject && <EventSubject {...subject} />}
                </ActionText>
                <EventPlace {...place} />
              </span>
              <span className="shrink-0 text-[13px] text-muted">
                <Time at={at} absolute />
              </span>
            </span>
          </summary>
          <dl>
            {facts.map(({ label, text, code }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd className={code ? 'font-mono' : undefined}>
                  <Breakable text={text} />
                </dd>
              </div>
            ))}
            {links.length > 0 && (
              <div>
                <dt>See</dt>
                <dd className="flex flex-wrap gap-4">
                  {links.map(({ href, text }) => (
                    <TextLink key={href} href={href}>
                      {text}
                    </TextLink>
                  ))}
                </dd>
              </div>
            )}
          </dl>
        </details>
      </li>
    ))}
  </ul>
)
