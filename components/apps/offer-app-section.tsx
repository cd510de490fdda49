import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/confirm-action'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { Time } from '../ui/time'
import { MoveConsequences } from './move-consequences'

type OfferedApp = { id: string; name: string; people: number; inDevelopment: boolean }

/** Offers an app to another workspace; or says to which it is offered, and takes that back. */
export function OfferAppSection({
  app,
  workspace,
  offer,
  create,
  withdraw,
}: {
  app: OfferedApp
  /** The name of the app's workspace. */
  workspace: string
  offer: { to: { name: string; slug: string }; expiresAt: Date } | null
  create: FormAction
  withdraw: FormAction
}) {
  if (offer) {
    return (
      <Section
        danger
        title="Move to another workspace"
        description={
          <>
            Offered to {offer.to.name} ({offer.to.slug}). Nothing changes until one of its admins accepts; the
            offer ends <Time at={offer.expiresAt} />.
          </>
        }
      >
        <div>
          <ConfirmAction
            trigger="Withdraw offer"
            triggerLook={{ variant: 'secondary' }}
            title={`Withdraw the offer of ${app.name}?`}
            confirmLabel="Withdraw offer"
            done="Offer withdrawn"
            action={withdraw}
            fields={{ id: app.id }}
          >
            <p>{offer.to.name} can no longer accept the app. You can offer it again.</p>
          </ConfirmAction>
        </div>
      </Section>
    )
  }
  return (
    <Section
      danger
      title="Move to another workspace"
      description="Offers the app to the admins of another workspace. Nothing changes until one of them accepts."
    >
      <div>
        <ConfirmAction
          trigger="Offer app"
          triggerLook={{ variant: 'secondary' }}
          title={`Offer ${app.name} to another workspace?`}
          confirmLabel="Offer app"
          done="App offered"
          action={create}
          fields={{ id: app.id }}
        >
          <TextField
            label="Workspace"
            name="workspace"
            required
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
            hint="Its address, as in /workspaces/acme, or its ID. Its admins are told, and have 7 days to answer."
          />
          <p>Once they accept:</p>
          <MoveConsequences
            from={workspace}
            to="the other workspace"
            people={app.people}
            inDevelopment={app.inDevelopment}
          />
        </ConfirmAction>
      </div>
    </Section>
  )
}
