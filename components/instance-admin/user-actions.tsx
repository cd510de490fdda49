'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton, ConfirmAction } from '../forms/action-button'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { cn } from '../ui/cn'
import { SubmitButton } from '../ui/submit-button'
import { ValueField } from '../ui/value-field'

type Actions = {
  suspend: FormAction
  unsuspend: FormAction
  signOut: FormAction
  removeFactors: FormAction
  addInstanceAdmin: FormAction
  removeInstanceAdmin: FormAction
  resetLink: FormAction<{ link: string }>
}

/**
 * An instance admin's actions on a user. `self`: whether instance admins view their own page. On that page,
 * they cannot reset two-factor authentication, suspend the user, or change the instance admin role.
 */
export function UserActions({
  user,
  self,
  actions,
}: {
  user: { id: string; name: string; suspendedAt: Date | null; instanceAdmin: boolean; enrolled: boolean }
  self: boolean
  actions: Actions
}) {
  const fields = { id: user.id }
  return (
    <>
      <Section title="Account recovery" description="For users who are locked out.">
        <div className="flex flex-wrap items-start gap-2">
          <ActionButton action={actions.signOut} fields={fields} done="Signed out everywhere">
            Sign out everywhere
          </ActionButton>
          {user.enrolled && !self && (
            <ConfirmAction
              trigger="Reset two-factor"
              title={`Reset two-factor for ${user.name}?`}
              confirmLabel="Reset two-factor"
              done="Two-factor reset"
              action={actions.removeFactors}
              fields={fields}
            >
              <p>
                Deletes their passkeys, authenticator app, and recovery codes. They can then sign in with only
                their password, so confirm that the request is from them.
              </p>
            </ConfirmAction>
          )}
          <ResetLink action={actions.resetLink} id={user.id} />
        </div>
      </Section>
      {!self && (
        <>
          <Section
            danger
            title="Instance admin"
            description="Instance admins have full access to the admin pages."
          >
            <div>
              <ConfirmAction
                {...(!user.instanceAdmin && { triggerLook: { variant: 'secondary' } })}
                trigger={user.instanceAdmin ? 'Remove as instance admin' : 'Make instance admin'}
                title={
                  user.instanceAdmin
                    ? `Remove ${user.name} as instance admin?`
                    : `Make ${user.name} an instance admin?`
                }
                confirmLabel={user.instanceAdmin ? 'Remove as instance admin' : 'Make instance admin'}
                done={user.instanceAdmin ? 'Instance admin removed' : 'Instance admin added'}
                action={user.instanceAdmin ? actions.removeInstanceAdmin : actions.addInstanceAdmin}
                fields={fields}
              >
                <p>
                  {user.instanceAdmin
                    ? 'The user will lose access to these pages.'
                    : 'The user will have full access to the admin pages. Sessions that the user started by signing in with another service will end.'}
                </p>
              </ConfirmAction>
            </div>
          </Section>
          <Section
            danger
            title="Suspension"
            description="Suspending a user signs them out everywhere and blocks their tokens and app authorizations. Nothing is deleted."
          >
            <div>
              {user.suspendedAt ? (
                <ActionButton action={actions.unsuspend} fields={fields} done="User unsuspended">
                  Unsuspend
                </ActionButton>
              ) : (
                <ConfirmAction
                  trigger="Suspend"
                  title={`Suspend ${user.name}?`}
                  confirmLabel="Suspend"
                  done="User suspended"
                  action={actions.suspend}
                  fields={fields}
                >
                  <p>
                    The user will be signed out everywhere. Their tokens and app authorizations stop working
                    until you unsuspend the user.
                  </p>
                </ConfirmAction>
              )}
            </div>
          </Section>
        </>
      )}
    </>
  )
}

/**
 * A form that creates a password reset link and shows it once. The instance admin sends the link to the user.
 */
function ResetLink({ action, id }: { action: FormAction<{ link: string }>; id: string }) {
  const [state, submit] = useFormAction(action)
  return (
    <form action={submit} className={cn('grid justify-items-start gap-4', state.turn > 0 && 'w-full')}>
      <input type="hidden" name="id" value={id} />
      <FormOutcome state={state} />
      {state.result && (
        <div className="w-full">
          <ValueField
            label="Reset link"
            value={state.result.link}
            hint="The link works once and expires after one hour. Send it privately. You won’t see it again."
          />
        </div>
      )}
      <SubmitButton variant="secondary">Create reset link</SubmitButton>
    </form>
  )
}
