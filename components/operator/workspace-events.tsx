import { DeedWords } from '../audit/deed-words'
import { EventSubject } from '../audit/event-subject'
import { wordsOf } from '../audit/event-words'
import { Section } from '../ui/card'
import { TextLink } from '../ui/text-link'
import { Time } from '../ui/time'

type Event = {
  id: string
  action: string
  resourceId: string
  subject: string | null
  project: string | null
  createdAt: Date
}

/** The latest of what happened in a workspace, and the way to all of it. */
export function WorkspaceEvents({ events, slug }: { events: Event[]; slug: string }) {
  return (
    <Section
      title="Audit log"
      flush
      footer={
        <TextLink href={`/operator/audit?${new URLSearchParams({ workspace: slug })}`}>
          Everything recorded in this workspace
        </TextLink>
      }
    >
      {events.length === 0 && <p className="px-4 py-4 text-muted">No activity yet.</p>}
      <ul aria-label="Latest events">
        {events.map(({ id, action, resourceId, subject, project, createdAt }) => (
          <li
            key={id}
            className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b px-4 py-2.5 last:border-b-0"
          >
            <span title={action} className="wrap-anywhere min-w-0 flex-1 basis-40">
              <DeedWords words={wordsOf(action)} capital>
                <EventSubject id={resourceId} name={subject} project={project} />
              </DeedWords>
            </span>
            <span className="text-[13px] text-muted">
              <Time at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
