import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { AppOffer } from '@/lib/features/app-offers/offer-app'
import { profileOf } from '@/lib/features/apps/app-profile'
import { ConfirmAction } from '../forms/confirm-action'
import { FactList } from '../operator/fact-list'
import { Section } from '../ui/card'
import { Time } from '../ui/time'
import { MoveConsequences } from './move-consequences'
import { profileFacts } from './profile-facts'
import { RedirectUriList } from './redirect-uri-list'

/** An app that another workspace offers to this one: what it is, what would come with it, and yes or no. */
export function OfferedApp({
  offer: { id, app, from, to, people, createdAt, expiresAt },
  accept,
  decline,
}: {
  offer: AppOffer
  accept: FormAction
  decline: FormAction
}) {
  const facts = [
    { label: 'Offered', value: <Time at={createdAt} /> },
    { label: 'Ends', value: <Time at={expiresAt} /> },
    { label: 'Type', value: app.type === 'WEB' ? 'Web' : 'Native' },
    { label: 'People', value: people.toLocaleString('en') },
    { label: 'Client ID', value: <span className="font-mono text-[13px]">{id}</span> },
    ...profileFacts(profileOf(app)),
  ]
  return (
    <Section
      title={`${app.name} is offered to you`}
      description={`From the workspace ${from.name}. Nothing changes until an admin of ${to.name} accepts.`}
      footer={
        <div className="ml-auto flex gap-2">
          <ConfirmAction
            trigger="Decline"
            triggerLook={{ variant: 'secondary' }}
            triggerLabel={`Decline ${app.name}`}
            title={`Decline ${app.name}?`}
            confirmLabel="Decline"
            done="Offer declined"
            action={decline}
            fields={{ id }}
          >
            <p>It stays with {from.name}, whose admins are told.</p>
          </ConfirmAction>
          <ConfirmAction
            trigger="Accept"
            triggerLook={{ variant: 'primary' }}
            triggerLabel={`Accept ${app.name}`}
            title={`Accept ${app.name}?`}
            confirmLabel="Accept app"
            done="The app is yours"
            action={accept}
            fields={{ id }}
          >
            <p>
              {to.name} answers for the app from now on: its name and logo stand where it asks people for
              something.
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
      <MoveConsequences from={from.name} to={to.name} people={people} inDevelopment={app.inDevelopment} />
    </Section>
  )
}
