import { appWebhookEvents, webhookEvents } from '@/lib/features/webhooks/events'
import { Checkbox, ChoiceGroup } from '../ui/choice'
import { TextField } from '../ui/field'

const ofWorkspace = {
  events: webhookEvents as Record<string, string>,
  kinds: [
    { name: 'Apps', kind: 'app' },
    { name: 'Members', kind: 'member' },
    { name: 'Projects', kind: 'project' },
    { name: 'Tokens', kind: 'token' },
  ],
}

const ofApp = {
  events: appWebhookEvents as Record<string, string>,
  kinds: [{ name: 'Your app', kind: 'app' }],
}

/** Selects the events of a webhook: single events or all of a kind, sent as `events`. */
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
  const box = (value: string, hint: string) => (
    <Checkbox
      key={value}
      label={value}
      name="events"
      value={value}
      defaultChecked={chosen.includes(value)}
      aria-invalid={error ? true : undefined}
      hint={hint}
    />
  )
  return (
    <ChoiceGroup legend="Events" hint="Events to send." error={error}>
      <div className="columns-[224px] gap-x-6">
        {kinds.map(({ name, kind }) => (
          <ChoiceGroup key={kind} legend={name} className="mb-5 break-inside-avoid content-start">
            {box(`${kind}.*`, 'All events of this type, including future ones.')}
            {Object.entries(events)
              .filter(([event]) => event.startsWith(`${kind}.`))
              .map(([event, meaning]) => box(event, meaning))}
          </ChoiceGroup>
        ))}
      </div>
    </ChoiceGroup>
  )
}

/** The URL that receives a webhook's messages. */
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
