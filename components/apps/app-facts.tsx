import { config } from '@/lib/base/config/env'
import { issuer, metadataRoute, routes } from '@/lib/edges/oauth/protocol/routes'
import type { Refusals } from '@/lib/features/apps/activity/read-refusals'
import { type AppProfile, supportHref } from '@/lib/features/apps/app-profile'
import type { EditableApp } from '@/lib/features/apps/update-app'
import { Alert } from '../ui/alert'
import { Badge } from '../ui/badge'
import { Breakable } from '../ui/breakable'
import { TextAnchor } from '../ui/button'
import { Section } from '../ui/card'
import { CopyButton } from '../ui/copy-button'
import { CircleCheck } from '../ui/icon'
import { ButtonLink, TextLink } from '../ui/link'
import { Time } from '../ui/time'

type BadgedApp = {
  type: 'WEB' | 'NATIVE'
  verifiedAt: Date | null
  disabledAt: Date | null
  inDevelopment: boolean
  awaitingApproval?: boolean
}

/** Shows the kind and status of an app next to its name. */
export const AppBadges = ({
  app: { type, verifiedAt, disabledAt, inDevelopment, awaitingApproval },
}: {
  app: BadgedApp
}) => (
  <>
    <Badge>{type === 'WEB' ? 'Web' : 'Native'}</Badge>
    {inDevelopment && <Badge tone="info">In development</Badge>}
    {awaitingApproval && <Badge tone="warning">Needs approval</Badge>}
    {verifiedAt && <Badge tone="success">Verified</Badge>}
    {disabledAt && <Badge tone="danger">Disabled</Badge>}
  </>
)

/** Returns an app's profile as facts for a FactList. Omits empty values. */
export function profileFacts({ description, website, support, privacyUrl, termsUrl }: AppProfile) {
  const link = (label: string, href: string | null, text = href) =>
    href ? [{ label, value: <Outside href={href}>{text}</Outside> }] : []
  return [
    ...(description ? [{ label: 'Description', value: <bdi>{description}</bdi> }] : []),
    ...link('Website', website),
    ...link('Support', support && supportHref(support), support),
    ...link('Privacy policy', privacyUrl),
    ...link('Terms', termsUrl),
  ]
}

const Outside = ({ href, children }: { href: string; children: React.ReactNode }) => (
  <TextAnchor href={href} target="_blank" rel="noopener noreferrer">
    {children}
  </TextAnchor>
)

/** Lists the redirect URIs of an app, one per line. */
export const RedirectUriList = ({ uris }: { uris: readonly string[] }) => (
  <ul className="grid gap-1 font-mono text-[13px]">
    {uris.map((uri) => (
      <li key={uri} className="wrap-anywhere">
        {uri}
      </li>
    ))}
    {uris.length === 0 && <li className="text-muted">None</li>}
  </ul>
)

/**
 * Shows what an app without client secrets uses instead: PKCE for a native app, or public keys for a web app.
 */
export function KeyCredentials({
  app: { type, publicKeys },
  settingsHref,
}: {
  app: Pick<EditableApp, 'type' | 'publicKeys'>
  settingsHref: string
}) {
  if (type === 'NATIVE') {
    return (
      <Section title="No secret" description="Native apps can’t keep a secret.">
        <p>The app uses its client ID and PKCE instead.</p>
      </Section>
    )
  }
  return (
    <Section
      title="Public keys"
      description="The app authenticates with its private key (private_key_jwt). We verify its signatures with these public keys."
    >
      <pre className="max-h-80 overflow-auto rounded-control border bg-raised p-3 font-mono text-[13px]">
        {publicKeys}
      </pre>
      <p>
        Change them under <TextLink href={settingsHref}>Settings</TextLink> &gt; Advanced.
      </p>
    </Section>
  )
}

type StatedApp = {
  type: 'WEB' | 'NATIVE'
  inDevelopment: boolean
  disabledAt: Date | null
  verifiedAt: Date | null
}

/**
 * Shows the state of an app next to its name: whether it accepts sign-ins, its kind, and its verifications.
 */
export function AppStatus({ app, domain }: { app: StatedApp; domain: string | undefined }) {
  const [tone, status] = app.disabledAt
    ? ['dot-danger', 'Disabled by an instance admin']
    : app.inDevelopment
      ? ['dot-info', 'In development']
      : ['dot-success', 'Accepts sign-ins']
  return (
    <>
      <Badge>{app.type === 'WEB' ? 'Web' : 'Native'}</Badge>
      {domain && (
        <Badge tone="success" className="min-w-0 shrink">
          <CircleCheck />
          <span className="truncate" title={domain}>
            {domain} verified
          </span>
        </Badge>
      )}
      {app.verifiedAt && <Badge tone="success">Verified</Badge>}
      <span className={`dot ${tone} pl-1 text-[13px]`}>{status}</span>
    </>
  )
}

/** Shows the client ID as text to copy. */
export const ClientId = ({ value }: { value: string }) => (
  <span className="flex min-w-0 items-center gap-1">
    <input
      readOnly
      aria-label="Client ID"
      dir="ltr"
      value={value}
      spellCheck={false}
      className="field-sizing-content min-w-0 max-w-full text-ellipsis rounded-[3px] bg-transparent font-mono text-[13px] text-muted"
    />
    <CopyButton value={value} of="client ID" variant="quiet" brief="always" />
  </span>
)

/** Returns the number of rejected requests as text. Numbers above 1,000 are shown as “More than 1,000”. */
const many = (times: number) =>
  times > 1000
    ? 'More than 1,000 requests'
    : times === 1
      ? '1 request'
      : `${times.toLocaleString('en')} requests`

/**
 * Shows problems with an app's sign-ins. Links to the pages on which the app's admins can fix these problems,
 * except if an instance admin disabled the app. Renders nothing if there are no problems.
 */
export function AppProblems({
  disabled,
  lacksSecret,
  refusals,
  address,
}: {
  disabled: boolean
  /** Whether the app needs a secret to get tokens, and has none. */
  lacksSecret: boolean
  refusals: Refusals | null
  address: string
}) {
  if (!disabled && !lacksSecret && !refusals) return null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {disabled && (
        <Alert tone="danger" title="An instance admin disabled this app">
          Users can’t sign in with it, and its tokens are rejected.
        </Alert>
      )}
      {lacksSecret && (
        <Alert
          tone="warning"
          title="The app needs a client secret to get tokens"
          action={
            <ButtonLink href={`${address}/credentials`} size="small">
              Add secret
            </ButtonLink>
          }
        />
      )}
      {refusals && (
        <Alert
          tone="danger"
          title={`${many(refusals.times)} refused in the last 7 days`}
          action={
            <span className="flex flex-wrap gap-2">
              <ButtonLink href={`${address}/activity?kind=REFUSED`} size="small">
                Review requests
              </ButtonLink>
              {refusals.wrongRedirectUri && (
                <ButtonLink href={`${address}#redirect-uris`} size="small">
                  Edit redirect URIs
                </ButtonLink>
              )}
            </span>
          }
        >
          <span className="[overflow-wrap:anywhere]">
            Most recent: <Time at={refusals.lastAt} />. {refusals.why}
          </span>
        </Alert>
      )}
    </div>
  )
}

/** Lists the app's redirect URIs and its creation date. */
export const AppDetails = ({
  app: { redirectUris, createdAt },
  address,
}: {
  app: { redirectUris: string[]; createdAt: Date }
  address: string
}) => (
  <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-4 sm:grid-cols-[minmax(0,1fr)_auto]">
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-1">
      <dt className="text-[13px] text-muted">Redirect URIs</dt>
      <dd className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <RedirectUriList uris={redirectUris} />
        <TextLink href={`${address}#redirect-uris`} className="justify-self-start text-[13px]">
          Edit redirect URIs
        </TextLink>
      </dd>
    </div>
    <div className="grid content-start gap-1">
      <dt className="text-[13px] text-muted">Created</dt>
      <dd className="whitespace-nowrap">
        <Time at={createdAt} />
      </dd>
    </div>
  </dl>
)

/** Lists the endpoints of this instance that apps use, each with a copy button. */
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
            className="grid items-center gap-x-3 border-b px-4 py-1.5 last:border-b-0 sm:grid-cols-[9.5rem_minmax(0,1fr)]"
          >
            <dt className="text-[13px] text-muted">{name}</dt>
            <dd className="flex min-w-0 items-center justify-between gap-3">
              <span className="wrap-anywhere min-w-0 font-mono text-[13px] sm:truncate" title={value}>
                <Breakable text={value} />
              </span>
              <CopyButton value={value} of={name} variant="quiet" brief="always" />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
