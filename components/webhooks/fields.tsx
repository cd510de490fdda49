import type { ReactNode } from 'react'
import { appWebhookEvents, webhookEvents } from '@/lib/features/webhooks/events'
import { Checkbox, ChoiceGroup } from '../ui/choice'
import { TextField } from '../ui/field'
import { ChevronRight } from '../ui/icon'

const ofWorkspace = {
  events: webhookEvents as Record<string, string>,
  kinds: [
    { kind: 'app', all: 'All app events', choose: 'Choose app events' },
    { kind: 'member', all: 'All member events', choose: 'Choose member events' },
    { kind: 'project', all: 'All project events', choose: 'Choose project events' },
    { kind: 'token', all: 'All token events', choose: 'Choose token events' },
  ],
}

const ofApp = {
  events: appWebhookEvents as Record<string, string>,
  kinds: [{ kind: 'app', all: 'All events of your app', choose: 'Choose events' }],
}

/**
 * Lets users select the events of a webhook: all events of a kind, or individual events in a group. A group
 * is initially open if any of its events is already selected. A group is hidden while the checkbox for all
 * events of its kind is checked. The form sends each checked value as `events`.
 */
export function EventsField({
  app,
  chosen,
  error,
}: {
  /** Whether the webhook belongs to an app. */
  app: boolean
  chosen: readonly string[]
  error?: string | undefined
}) {
  const { events, kinds } = app ? ofApp : ofWorkspace
  const box = (value: string, label: string, hint: string, aside?: ReactNode) => (
    <Checkbox
      key={value}
      label={label}
      name="events"
      value={value}
      defaultChecked={chosen.includes(value)}
      aria-invalid={error ? true : undefined}
      hint={hint}
      aside={aside}
    />
  )
  return (
    <ChoiceGroup legend="Events" error={error}>
      <div className="divide-y rounded-card border">
        {kinds.map(({ kind, all, choose }) => {
          const single = Object.entries(events).filter(([event]) => event.startsWith(`${kind}.`))
          const some = single.filter(([event]) => chosen.includes(event)).length
          return (
            <div key={kind} className="group/kind grid gap-2 px-3.5 py-3">
              <div className="all-events">
                {box(
                  `${kind}.*`,
                  all,
                  'Includes events added in future releases.',
                  <code className="font-mono">{kind}.*</code>,
                )}
              </div>
              <details
                open={some > 0}
                className="group/choose ml-[26px] group-has-[.all-events_:checked]/kind:hidden"
              >
                <summary className="flex min-h-6 w-fit cursor-pointer list-none items-center gap-1 rounded-[3px] text-[13px] text-link hover:underline max-md:min-h-10 [&::-webkit-details-marker]:hidden">
                  {choose}
                  <ChevronRight className="size-3.5 transition-transform group-open/choose:rotate-90" />
                </summary>
                <div className="mt-2 gap-x-6 sm:columns-2">
                  {single.map(([event, meaning]) => (
                    <div key={event} className="break-inside-avoid pb-2.5">
                      {box(event, event, meaning)}
                    </div>
                  ))}
                </div>
              </details>
            </div>
          )
        })}
      </div>
    </ChoiceGroup>
  )
}

/** The field for the URL that receives a webhook's messages. */
export function UrlField({ url, error }: { url: string | undefined; error: string | undefined }) {
  return (
    <TextField
      label="URL"
      name="url"
      type="url"
      required
      maxLength={2000}
      autoComplete="off"
      spellCheck={false}
      hint="A public https URL. Each message is a POST request with a JSON body."
      defaultValue={url}
      error={error}
    />
  )
}
