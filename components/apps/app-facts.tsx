import { type AppProfile, supportHref } from '@/lib/features/apps/app-profile'
import type { EditableApp } from '@/lib/features/apps/update-app'
import { Badge } from '../ui/badge'
import { TextAnchor } from '../ui/button'
import { Section } from '../ui/card'
import { TextLink } from '../ui/text-link'

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
    {awaitingApproval && <Badge tone="warning">Waiting</Badge>}
    {verifiedAt && <Badge tone="success">Verified</Badge>}
    {disabledAt && <Badge tone="danger">Disabled</Badge>}
  </>
)

/** Returns the profile of an app as facts for a FactList, without empty ones. */
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

/** Shows how an app without secrets authenticates. */
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
        Change them under <TextLink href={settingsHref}>Settings</TextLink>, under Advanced.
      </p>
    </Section>
  )
}
