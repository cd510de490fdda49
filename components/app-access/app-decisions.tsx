import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { ConfirmAction } from '../forms/confirm-action'
import { Section } from '../ui/card'

type Actions = { block: FormAction; withdraw: FormAction; revoke: FormAction }

/** What an admin can do about an app at once: block, take a decision back, revoke for everybody. */
export function AppDecisions({
  name,
  place,
  decision,
  people,
  actions,
}: {
  name: string
  place: Record<string, string>
  decision: 'APPROVED' | 'BLOCKED' | undefined
  people: number
  actions: Actions
}) {
  return (
    <Section
      danger
      title="Keep it out"
      description="Blocking keeps the app out of this workspace under any policy, until you unblock it. Revoking ends the access that everyone here gave it."
    >
      <div className="flex flex-wrap gap-2 md:justify-end">
        {decision && (
          <ActionButton
            action={actions.withdraw}
            fields={place}
            done={decision === 'BLOCKED' ? 'Unblocked' : 'Approval withdrawn'}
          >
            {decision === 'BLOCKED' ? 'Unblock' : 'Withdraw approval'}
          </ActionButton>
        )}
        {decision !== 'BLOCKED' && (
          <ConfirmAction
            trigger="Block"
            title={`Block ${name}?`}
            confirmLabel="Block app"
            done="App blocked"
            action={actions.block}
            fields={place}
          >
            <p>This workspace and its projects refuse it right away, no matter who let it in.</p>
          </ConfirmAction>
        )}
        {people > 0 && (
          <ConfirmAction
            trigger="Revoke for everybody"
            title={`Revoke ${name} for everybody?`}
            confirmLabel="Revoke for everybody"
            done="Revoked for everybody"
            action={actions.revoke}
            fields={place}
          >
            <p>
              {people === 1 ? 'One person' : `${people} people`} let it in here. It loses their access to this
              workspace and its projects, and has to ask them again.
            </p>
          </ConfirmAction>
        )}
      </div>
    </Section>
  )
}
