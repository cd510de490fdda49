import { DeedWords } from '../audit/deed-words'
import type { ListedEvent } from '../audit/event-log'
import { tellDeed } from '../audit/event-words'
import { Avatar } from '../ui/avatar'
import { Time } from '../ui/time'

export type FeedEvent = Pick<
  ListedEvent,
  | 'id'
  | 'createdAt'
  | 'userId'
  | 'person'
  | 'actorKind'
  | 'through'
  | 'action'
  | 'resourceId'
  | 'subject'
  | 'project'
  | 'details'
>

/** What happened lately, a sentence each, the latest first. */
export function ActivityFeed({ events }: { events: readonly FeedEvent[] }) {
  return (
    <ul aria-label="Latest activity" className="grid grid-cols-[minmax(0,1fr)]">
      {events.map((event) => {
        const { id, createdAt, userId, person, actorKind, through } = event
        const who = person ?? (actorKind === 'system' ? 'System' : (through ?? 'Deleted account'))
        const { words, about } = tellDeed(event)
        const name = about && event[about]
        return (
          <li
            key={id}
            className="relative grid grid-cols-[20px_minmax(0,1fr)_auto] gap-x-2.5 py-[7px] text-[13px] leading-5 not-last:after:absolute not-last:after:top-[29px] not-last:after:-bottom-[5px] not-last:after:left-[9.5px] not-last:after:w-px not-last:after:bg-border not-last:after:content-['']"
          >
            <Avatar name={who} id={userId ?? who} size="tiny" className="mt-px" />
            <p>
              <bdi className="font-medium">{who}</bdi>{' '}
              <DeedWords words={words}>{name && <bdi className="font-medium">{name}</bdi>}</DeedWords>
            </p>
            <Time at={createdAt} className="text-muted" />
          </li>
        )
      })}
    </ul>
  )
}
