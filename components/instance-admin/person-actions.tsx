import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton, ConfirmAction } from '../forms/action-button'
import { Section } from '../ui/card'
import { ResetLink } from './reset-link'

type Actions = {
  suspend: FormAction
  unsuspend: FormAction
  signOut: FormAction
  removeFactors: FormAction
  addInstanceAdmin: FormAction
  removeInstanceAdmin: FormAction
  resetLink: FormAction<{ link: string }>
}

/** What the instance admin can do to a person. `self`: some of it nobody does to themselves. */
export function PersonActions({
  person,
  self,
  actions,
}: {
  person: { id: string; name: string; suspendedAt: Date | null; instanceAdmin: boolean; enrolled: boolean }
  self: boolean
  actions: Actions
}) {
  const fields = { id: person.id }
  return (
    <>
      <Section title="Help" description="For someone who’s locked out.">
        <div className="flex flex-wrap items-start gap-2">
          <ActionButton action={actions.signOut} fields={fields} done="Signed out everywhere">
            Sign out everywhere
          </ActionButton>
          {person.enrolled && !self && (
            <ConfirmAction
              trigger="Remove second factors"
              title={`Remove ${person.name}'s second factors?`}
              confirmLabel="Remove second factors"
              done="Second factors removed"
              action={actions.removeFactors}
              fields={fields}
            >
              <p>
                Deletes their passkeys, authenticator app and recovery codes. Their password alone then signs
                them in, so make sure it’s really them asking.
              </p>
            </ConfirmAction>
          )}
          <ResetLink action={actions.resetLink} id={person.id} />
        </div>
      </Section>
      {!self && (
        <Section
          danger
          title="Access"
          description="Suspending signs them out everywhere and blocks their tokens and apps. Nothing is deleted. Instance admins see and manage everything on these pages."
        >
          <div className="flex flex-wrap gap-2 md:justify-end">
            {person.suspendedAt ? (
              <ActionButton action={actions.unsuspend} fields={fields} done="Person restored">
                Unsuspend
              </ActionButton>
            ) : (
              <ConfirmAction
                trigger="Suspend"
                title={`Suspend ${person.name}?`}
                confirmLabel="Suspend"
                done="Person suspended"
                action={actions.suspend}
                fields={fields}
              >
                <p>
                  They’re signed out everywhere, and their tokens and apps stop working until you unsuspend
                  them.
                </p>
              </ConfirmAction>
            )}
            <ConfirmAction
              trigger={person.instanceAdmin ? 'Remove as instance admin' : 'Make instance admin'}
              title={
                person.instanceAdmin
                  ? `Remove ${person.name} as instance admin?`
                  : `Make ${person.name} an instance admin?`
              }
              confirmLabel={person.instanceAdmin ? 'Remove as instance admin' : 'Make instance admin'}
              done={person.instanceAdmin ? 'Instance admin removed' : 'Instance admin added'}
              action={person.instanceAdmin ? actions.removeInstanceAdmin : actions.addInstanceAdmin}
              fields={fields}
            >
              <p>Instance admins see and manage everything on these pages.</p>
            </ConfirmAction>
          </div>
        </Section>
      )}
    </>
  )
}
