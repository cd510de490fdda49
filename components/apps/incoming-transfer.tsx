import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { AppTransfer } from '@/lib/features/app-transfers/request-transfer'
import { profileOf } from '@/lib/features/apps/app-profile'
import { ConfirmAction } from '../forms/action-button'
import type { ListedPlace } from '../lists/place-list'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { FactList } from '../ui/fact-list'
import { Time } from '../ui/time'
import { profileFacts, RedirectUriList } from './app-facts'
import { MoveConsequences } from './danger-sections'

/**
 * Shows an incoming app transfer: the app, the transfer's consequences, and the buttons to accept or decline
 * it.
 */
export function IncomingTransfer({
  offer: { id, app, from, to, users, createdAt, expiresAt },
  accept,
  decline,
}: {
  offer: AppTransfer
  accept: FormAction
  decline: FormAction
}) {
  const facts = [
    { label: 'Requested', value: <Time at={createdAt} /> },
    { label: 'Expires', value: <Time at={expiresAt} /> },
    { label: 'Type', value: app.type === 'WEB' ? 'Web' : 'Native' },
    { label: 'People', value: users.toLocaleString('en') },
    { label: 'Client ID', value: <span className="font-mono text-[13px]">{id}</span> },
    ...profileFacts(profileOf(app)),
  ]
  return (
    <Section
      title={`Transfer request for ${app.name}`}
      description={`From the workspace ${from.name}. Nothing changes until an admin of ${to.name} accepts.`}
      footer={
        <div className="ml-auto flex gap-2">
          <ConfirmAction
            trigger="Decline"
            triggerLook={{ variant: 'secondary' }}
            triggerLabel={`Decline ${app.name}`}
            title={`Decline ${app.name}?`}
            confirmLabel="Decline"
            done="Transfer declined"
            action={decline}
            fields={{ id }}
          >
            <p>The app stays with {from.name}, and the admins of that workspace will be notified.</p>
          </ConfirmAction>
          <ConfirmAction
            trigger="Accept"
            triggerLook={{ variant: 'primary' }}
            triggerLabel={`Accept ${app.name}`}
            title={`Accept ${app.name}?`}
            confirmLabel="Accept app"
            done="Transfer accepted"
            action={accept}
            fields={{ id }}
          >
            <p>
              {to.name} becomes responsible for the app. Its name and logo appear wherever the app requests
              access from users.
            </p>
          </ConfirmAction>
        </div>
      }
    >
      <FactList facts={facts} />
      <div className="grid gap-1">
        <p className="text-[13px] text-muted">Redirect URIs</p>
        <RedirectUriList uris={app.redirectUris} />
      </div>
      <MoveConsequences from={from.name} to={to.name} users={users} inDevelopment={app.inDevelopment} />
    </Section>
  )
}

type ListedApp = {
  id: string
  name: string
  type: 'WEB' | 'NATIVE'
  logoUrl: string | null
  logoDarkUrl: string | null
  createdAt: Date
  disabledAt: Date | null
  inDevelopment: boolean
  users: number
}

/**
 * Returns a function that converts an OAuth app to a row of a PlaceList.
 * @param developerHref the URL of the list of the workspace's apps
 */
export const placeOfApp =
  (developerHref: string) =>
  ({ id, name, type, createdAt, disabledAt, inDevelopment, users, ...app }: ListedApp): ListedPlace => ({
    id,
    name,
    href: `${developerHref}/${id}/overview`,
    menu: { kind: 'app', address: `${developerHref}/${id}` },
    logoUrl: app.logoUrl,
    logoDarkUrl: app.logoDarkUrl,
    about: <span className="font-mono">{id}</span>,
    badge: (
      <>
        <Badge className="max-sm:hidden">{type === 'WEB' ? 'Web' : 'Native'}</Badge>
        {inDevelopment && <Badge tone="info">In development</Badge>}
        {disabledAt && <Badge tone="danger">Disabled</Badge>}
      </>
    ),
    aside: (
      <span className="grid tabular-nums">
        <span>{users === 1 ? '1 user' : `${users.toLocaleString('en')} users`}</span>
        <span className="max-sm:hidden">
          Created <Time at={createdAt} />
        </span>
      </span>
    ),
  })
