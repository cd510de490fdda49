import { DeedWords } from '../audit/deed-words'
import { wordsOf } from '../audit/event-words'
import { Section } from '../ui/card'
import { Time } from '../ui/time'

type Event = { id: string; action: string; person: string | null; details: unknown; createdAt: Date }

const wordIn = (details: unknown): string | undefined => {
  const { word } = (details ?? {}) as { word?: unknown }
  return typeof word === 'string' ? word : undefined
}

/** What was decided about an app, given by its name, and what changed since: who, when, and the word that went with it. */
export function AppHistory({ app, events }: { app: string; events: Event[] }) {
  return (
    <Section title="History" description="Decisions, and the changes they may depend on." flush>
      {events.length === 0 && <p className="px-4 py-4 text-muted">No activity yet.</p>}
      <ul aria-label="History">
        {events.map(({ id, action, person, details, createdAt }) => (
          <li key={id} className="grid gap-0.5 border-b px-4 py-2.5 last:border-b-0">
            <span className="flex flex-wrap items-baseline gap-x-3">
              <span title={action} className="wrap-anywhere min-w-0 flex-1 basis-40">
                <bdi className="font-medium">{person ?? 'The system'}</bdi>{' '}
                <DeedWords words={wordsOf(action)}>
                  <bdi>{app}</bdi>
                </DeedWords>
              </span>
              <span className="text-[13px] text-muted">
                <Time at={createdAt} />
              </span>
            </span>
            {wordIn(details) && (
              <span className="wrap-anywhere text-[13px] text-muted">{wordIn(details)}</span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
