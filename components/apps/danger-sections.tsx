import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/action-button'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { Time } from '../ui/time'

/** Shows the consequences of an app transfer, for the admins of both workspaces. */
export function MoveConsequences({
  from,
  to,
  users,
  inDevelopment,
}: {
  from: string
  to: string
  users: number
  inDevelopment: boolean
}) {
  const allowed = users === 1 ? '1 user' : `${users.toLocaleString('en')} users`
  return (
    <ul className="grid list-disc gap-1 pl-5 text-[13px] text-muted">
      <li>
        Settings, activity, usage, and the access that {allowed} granted move with the app. Users don’t have
        to sign in again. They see that {to} runs the app.
      </li>
      <li>
        The admins of {to} review the redirect URIs and replace the client secrets or public keys. The current
        credentials then stop working. If the transfer isn’t finished within 7 days, the app is disabled.
      </li>
      <li>
        Its webhooks are disabled, and its back-channel logout URI is removed. Before you enable a webhook
        again, check its URL and rotate its secret.
      </li>
      <li>
        For app policies, the app no longer counts as one of {from}’s own apps. It counts as one of {to}’s own
        apps after the transfer is finished.
      </li>
      <li>Existing installations and approvals stay in place.</li>
      {inDevelopment && (
        <li>The app is in development, so only members of {to} can use it after the transfer.</li>
      )}
      <li>
        Verification by an instance admin and the verified domain are removed because the owner changes.
      </li>
    </ul>
  )
}

type IncomingTransfer = { id: string; name: string; users: number; inDevelopment: boolean }

/**
 * Lets admins request an app transfer. If a request is pending, instead shows the request and a button to
 * cancel it.
 */
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
        title="Transfer to another workspace"
        description={
          <>
            Transfer requested to {offer.to.name} ({offer.to.slug}). Nothing changes until one of its admins
            accepts. The request expires <Time at={offer.expiresAt} />.
          </>
        }
      >
        <div>
          <ConfirmAction
            trigger="Cancel transfer"
            triggerLook={{ variant: 'secondary' }}
            title={`Cancel the transfer of ${app.name}?`}
            confirmLabel="Cancel transfer"
            done="Transfer canceled"
            action={withdraw}
            fields={{ id: app.id }}
          >
            <p>{offer.to.name} won’t be able to accept the app. You can request the transfer again.</p>
          </ConfirmAction>
        </div>
      </Section>
    )
  }
  return (
    <Section
      danger
      title="Transfer to another workspace"
      description="Sends a transfer request to another workspace. Nothing changes until an admin of that workspace accepts."
    >
      <div>
        <ConfirmAction
          trigger="Transfer app"
          triggerLook={{ variant: 'secondary' }}
          title={`Transfer ${app.name} to another workspace?`}
          confirmLabel="Transfer app"
          done="Transfer requested"
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
            hint="The name in its URL, such as acme in /workspaces/acme, or its ID. Its admins will be notified and have 7 days to respond."
          />
          <p>After an admin accepts:</p>
          <MoveConsequences
            from={workspace}
            to="the other workspace"
            users={app.users}
            inDevelopment={app.inDevelopment}
          />
        </ConfirmAction>
      </div>
    </Section>
  )
}

/**
 * A button that deletes an app after the admin types the app's name.
 * @param users the number of users who authorized the app, as the start of a sentence
 */
export function DeleteAppSection({
  app: { id, name },
  users,
  back,
  action,
}: {
  app: { id: string; name: string }
  users: string
  /** The URL of the page to open after the deletion. */
  back: string
  action: Parameters<typeof ConfirmAction>[0]['action']
}) {
  return (
    <Section
      danger
      title="Delete app"
      description={`${users} authorized the app. Deleting it revokes all access and deletes its secrets. This can’t be undone.`}
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
          <p>{users} authorized the app. Its tokens stop working immediately. This can’t be undone.</p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
