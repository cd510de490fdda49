import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/action-button'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { Time } from '../ui/time'

/** What changes when an app moves to another workspace, for those who let it go and for those who take it. */
export function MoveConsequences({
  from,
  to,
  people,
  inDevelopment,
}: {
  from: string
  to: string
  people: number
  inDevelopment: boolean
}) {
  const allowed = people === 1 ? '1 person' : `${people.toLocaleString('en')} people`
  return (
    <ul className="grid list-disc gap-1 pl-5 text-[13px] text-muted">
      <li>
        Settings, activity, usage and the access that {allowed} gave it move along. Nobody has to sign in
        again. People see that {to} runs the app.
      </li>
      <li>
        The admins of {to} review the redirect URIs and replace the client secrets or public keys. The present
        ones end then, and after 7 days at the latest: then the app is switched off.
      </li>
      <li>
        Its webhooks are switched off, and its back-channel logout address is removed. Check each address and
        rotate its secret before you switch it on again.
      </li>
      <li>
        Where a workspace allows only its own apps, it no longer counts as one of {from}’s. It counts as one
        of {to}’s when the transfer is finished.
      </li>
      <li>Where admins installed or approved it, it stays installed or approved.</li>
      {inDevelopment && <li>It’s in development, so only members of {to} can use it from then on.</li>}
      <li>
        Verification by the instance admin and the verified domain end: they are about the app as {from} runs
        it.
      </li>
    </ul>
  )
}

type IncomingTransfer = { id: string; name: string; people: number; inDevelopment: boolean }

/** Offers an app to another workspace; or says to which it is offered, and takes that back. */
export function TransferAppSection({
  app,
  workspace,
  offer,
  create,
  withdraw,
}: {
  app: IncomingTransfer
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

/** Ends an app for good, once its name was typed. @param people how many would lose it, as the start of a sentence */
export function DeleteAppSection({
  app: { id, name },
  people,
  back,
  action,
}: {
  app: { id: string; name: string }
  people: string
  /** Where to go afterwards. */
  back: string
  action: Parameters<typeof ConfirmAction>[0]['action']
}) {
  return (
    <Section
      danger
      title="Delete app"
      description="Ends access for everyone who uses it, and deletes its secrets. Can’t be undone."
    >
      <div>
        <ConfirmAction
          trigger="Delete app"
          title={`Delete ${name}?`}
          confirmLabel="Delete app"
          done="App deleted"
          confirmName={name}
          action={action}
          fields={{ id, back }}
        >
          <p>{people} authorized it; its tokens stop working at once. This can’t be undone.</p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
