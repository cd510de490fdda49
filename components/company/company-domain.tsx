import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { ConfirmAction } from '../forms/confirm-action'
import { Section } from '../ui/card'
import { ClaimedDomain, type ShownClaim } from '../ui/claimed-domain'
import { Time } from '../ui/time'

/** How the domain stands that the provider speaks for: until it is proven, the provider counts for nothing. */
export function CompanyDomain({
  workspaceId,
  named,
  proof,
  countsUntil,
  actions,
}: {
  workspaceId: string
  named: ShownClaim
  proof: { text: string; record: string }
  /** Until when a proof that is gone still counts. */
  countsUntil: Date | null
  actions: { verify: FormAction; remove: FormAction }
}) {
  const fields = { id: workspaceId }
  return (
    <Section
      title="Domain"
      description="The provider works once the domain is proven. We check the record again every day."
      footer={
        <div className="ml-auto flex flex-wrap gap-2">
          <ConfirmAction
            trigger="Remove provider"
            triggerLook={{ variant: 'secondary' }}
            title="Remove the identity provider?"
            confirmLabel="Remove provider"
            done="Provider removed"
            action={actions.remove}
            fields={fields}
          >
            <p>What apps got through it stops working right away. Members stay members.</p>
          </ConfirmAction>
          <ActionButton action={actions.verify} fields={fields} look={{}} done="Checked">
            Check now
          </ActionButton>
        </div>
      }
    >
      <ClaimedDomain
        named={named}
        proof={proof}
        ends={
          countsUntil && (
            <>
              It still counts until <Time at={countsUntil} />.
            </>
          )
        }
      />
    </Section>
  )
}
