import { config } from '@/lib/base/config/env'
import { issuer, metadataRoute, routes } from '@/lib/edges/oauth/protocol/routes'
import { FactList } from '../instance-admin/fact-list'
import { Alert } from '../ui/alert'
import { Section } from '../ui/card'
import { CopyButton } from '../ui/copy-button'
import { TextLink } from '../ui/text-link'
import { Time } from '../ui/time'
import { ValueField } from '../ui/value-field'
import { RedirectUriList } from './app-facts'

type StatedApp = {
  id: string
  redirectUris: string[]
  users: number
  createdAt: Date
  inDevelopment: boolean
  disabledAt: Date | null
}

const stateOf = ({ disabledAt, inDevelopment }: StatedApp): string =>
  disabledAt
    ? 'Disabled by the instance admin'
    : inDevelopment
      ? 'In development: for members of this workspace only'
      : 'Accepts sign-ins'

/** Shows whether an app works and how to fix it if not, and the identifiers of the app. */
export function AppState({
  app,
  lacksSecret,
  address,
}: {
  app: StatedApp
  /** Whether the app needs a secret to get tokens, and has none. */
  lacksSecret: boolean
  address: string
}) {
  const facts = [
    { label: 'State', value: stateOf(app) },
    {
      label: 'People',
      value: (
        <TextLink href={`${address}/people`}>
          {app.users === 1 ? '1 user' : `${app.users.toLocaleString('en')} users`}
        </TextLink>
      ),
    },
    { label: 'Created', value: <Time at={app.createdAt} /> },
  ]
  return (
    <Section title="At a glance" description="Client ID and status.">
      {app.disabledAt && (
        <Alert tone="danger" title="An instance admin disabled this app">
          Users can’t sign in with it, and its tokens are rejected.
        </Alert>
      )}
      {lacksSecret && (
        <Alert tone="warning" title="The app needs a client secret to get tokens">
          Add one under <TextLink href={`${address}/credentials`}>Credentials</TextLink>.
        </Alert>
      )}
      <ValueField label="Client ID" value={app.id} />
      <FactList facts={facts} />
      <div className="grid gap-1">
        <p className="text-[13px] text-muted">Redirect URIs</p>
        <RedirectUriList uris={app.redirectUris} />
        <p className="text-[13px]">
          <TextLink href={address}>Edit redirect URIs</TextLink>
        </p>
      </div>
    </Section>
  )
}

/** Lists the endpoints for an app, each with a copy button. */
export function EndpointsSection() {
  const at = (route: string) => `${issuer()}${route}`
  const endpoints = [
    { name: 'Issuer', value: issuer() },
    { name: 'Discovery', value: at(metadataRoute) },
    { name: 'Authorization', value: at(routes.authorization) },
    { name: 'Token', value: at(routes.token) },
    { name: 'User info', value: at(routes.userinfo) },
    { name: 'Device authorization', value: at(routes.device_authorization) },
    { name: 'Signing keys', value: at(routes.jwks) },
    { name: 'GraphQL API', value: `${config().BASE_URL}/graphql/v2` },
  ]
  return (
    <Section title="Endpoints" description="Most libraries need only the issuer and discover the rest." flush>
      <dl>
        {endpoints.map(({ name, value }) => (
          <div
            key={name}
            className="grid items-center gap-x-3 border-b px-4 py-1.5 last:border-b-0 sm:grid-cols-[10rem_minmax(0,1fr)]"
          >
            <dt className="text-[13px] text-muted">{name}</dt>
            <dd className="flex min-w-0 items-center justify-between gap-3">
              <span className="wrap-anywhere min-w-0 font-mono text-[13px]">{value}</span>
              <CopyButton value={value} of={name} variant="quiet" brief />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
