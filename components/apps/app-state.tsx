import { FactList } from '../operator/fact-list'
import { Alert } from '../ui/alert'
import { Section } from '../ui/card'
import { TextLink } from '../ui/text-link'
import { Time } from '../ui/time'
import { ValueField } from '../ui/value-field'
import { RedirectUriList } from './redirect-uri-list'

type StatedApp = {
  id: string
  redirectUris: string[]
  people: number
  createdAt: Date
  inDevelopment: boolean
  disabledAt: Date | null
}

const stateOf = ({ disabledAt, inDevelopment }: StatedApp): string =>
  disabledAt
    ? 'Disabled by the operator'
    : inDevelopment
      ? 'In development: for members of this workspace only'
      : 'Accepts sign-ins'

/** Whether an app works, and if not, what to do; then what it is known by. */
export function AppState({
  app,
  lacksSecret,
  address,
}: {
  app: StatedApp
  /** It needs a secret to get tokens, and has none. */
  lacksSecret: boolean
  address: string
}) {
  const facts = [
    { label: 'State', value: stateOf(app) },
    {
      label: 'People',
      value: (
        <TextLink href={`${address}/people`}>
          {app.people === 1 ? '1 person' : `${app.people.toLocaleString('en')} people`}
        </TextLink>
      ),
    },
    { label: 'Created', value: <Time at={app.createdAt} /> },
  ]
  return (
    <Section title="At a glance" description="The ID of your app, and whether it’s working.">
      {app.disabledAt && (
        <Alert tone="danger" title="The operator of this service has disabled this app">
          Nobody can sign in with it, and its tokens are refused.
        </Alert>
      )}
      {lacksSecret && (
        <Alert tone="warning" title="Without a secret the app can’t get tokens">
          Add one under <TextLink href={`${address}/credentials`}>Credentials</TextLink>.
        </Alert>
      )}
      <ValueField label="Client ID" value={app.id} />
      <FactList facts={facts} />
      <div className="grid gap-1">
        <p className="text-[13px] text-muted">Redirect URIs</p>
        <RedirectUriList uris={app.redirectUris} />
        <p className="text-[13px]">
          <TextLink href={address}>Change them in the settings</TextLink>
        </p>
      </div>
    </Section>
  )
}
