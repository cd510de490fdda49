import type { getOperatedApp } from '@/lib/features/operator/get-app'
import { profileFacts } from '../apps/profile-facts'
import { RedirectUriList } from '../apps/redirect-uri-list'
import { AppLogo } from '../ui/app-logo'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { OnGround } from '../ui/on-ground'
import { TextLink } from '../ui/text-link'
import { Time } from '../ui/time'
import { FactList } from './fact-list'

type App = Awaited<ReturnType<typeof getOperatedApp>>

const origins = {
  SETTINGS: 'A workspace',
  DYNAMIC: 'It registered itself',
  METADATA_DOCUMENT: 'Its metadata document',
}

/** All that is known of an app: what it says of itself, where it returns to, what people allow it, and who runs it. */
export function OperatedAppFacts({ app }: { app: App }) {
  const { domain, workspace } = app
  const facts = [
    { label: 'From', value: origins[app.source] },
    { label: 'Type', value: app.type === 'WEB' ? 'Web' : 'Native' },
    ...(app.logoUrl || app.logoDarkUrl ? [{ label: 'Logo', value: <Logos app={app} /> }] : []),
    ...profileFacts(app.profile),
    {
      label: 'Domain',
      value: domain ? `${domain.domain}, ${domain.verifiedAt ? 'proven' : 'not proven'}` : 'None',
    },
    { label: 'People', value: app.counts.authorizations.toLocaleString('en') },
    { label: 'Installations', value: app.counts.installations.toLocaleString('en') },
    { label: 'Last used', value: app.lastUsedAt ? <Time at={app.lastUsedAt} /> : 'Never' },
    {
      label: 'Requests in 30 days',
      value: `${app.requests.toLocaleString('en')}${app.errors > 0 ? `, ${app.errors.toLocaleString('en')} refused or failed` : ''}`,
    },
    { label: 'Created', value: <Time at={app.createdAt} /> },
    { label: 'Client ID', value: <span className="font-mono text-[13px]">{app.id}</span>, wide: true },
  ]
  return (
    <>
      <Section
        title="About"
        description="Description, addresses and links are the app’s own words; nobody checked them."
      >
        <FactList facts={facts} />
      </Section>
      <Section title="Redirect URIs" description="Where it sends people back after they sign in.">
        <RedirectUriList uris={app.redirectUris} />
      </Section>
      <Section title="Scopes" description="What people allowed it, and how many of them.">
        <p className="wrap-anywhere text-[13px] text-muted">
          It may ask for {app.mayAsk.length > 0 ? app.mayAsk.join(', ') : 'every scope'}
          {app.installScopes.length > 0 && `; to be installed with ${app.installScopes.join(', ')}`}.
        </p>
        <ul className="flex flex-wrap gap-2">
          {app.scopes.map(({ scope, people }) => (
            <li key={scope}>
              <Badge>
                {scope} · {people.toLocaleString('en')}
              </Badge>
            </li>
          ))}
          {app.scopes.length === 0 && <li className="text-muted">Nobody has authorized it yet.</li>}
        </ul>
      </Section>
      {workspace && (
        <Section
          title="Owners"
          description={
            <>
              The admins of{' '}
              <TextLink href={`/operator/workspaces/${workspace.id}`}>{workspace.name}</TextLink>.
            </>
          }
        >
          <ul className="grid gap-1">
            {app.admins.map(({ id, name, email, emailVerifiedAt }) => (
              <li key={id} className="wrap-anywhere">
                <TextLink href={`/operator/people/${id}`}>{name}</TextLink>{' '}
                <span className="text-[13px] text-muted">
                  {email}
                  {!emailVerifiedAt && ', not confirmed'}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

/** As light and as dark pages show it. That of an app which registered itself is another host's, and not loaded (decision 078). */
const Logos = ({ app: { name, logoUrl, logoDarkUrl } }: { app: App }) => (
  <span className="flex gap-2">
    <OnGround ground="light">
      <AppLogo app={{ name, logoUrl: logoUrl ?? logoDarkUrl }} />
    </OnGround>
    <OnGround ground="dark">
      <AppLogo app={{ name, logoUrl: logoDarkUrl ?? logoUrl }} />
    </OnGround>
  </span>
)
