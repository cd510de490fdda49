import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { ConfirmAction } from '../forms/confirm-action'
import { Alert } from '../ui/alert'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { Time } from '../ui/time'
import { ValueField } from '../ui/value-field'

export type ShownCompanyDomain = {
  domain: string
  verifiedAt: Date | null
  checkedAt: Date | null
  problem: string | null
  failingSince: Date | null
}

/** How the domain stands that the provider speaks for: until it is proven, the provider counts for nothing. */
export function CompanyDomain({
  workspaceId,
  named: { domain, verifiedAt, checkedAt, problem, failingSince },
  proof,
  countsUntil,
  actions,
}: {
  workspaceId: string
  named: ShownCompanyDomain
  proof: { text: string; record: string }
  /** Until when a proof that is gone still counts. */
  countsUntil: Date | null
  actions: { verify: FormAction; remove: FormAction }
}) {
  const fields = { id: workspaceId }
  return (
    <Section
      title="Domain"
      description="Nobody comes in by the provider’s word until the domain is proven. It’s looked for again every day."
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
            <p>What apps got by its word ends at their next request. Members stay members.</p>
          </ConfirmAction>
          <ActionButton action={actions.verify} fields={fields} look={{}} done="Checked">
            Check now
          </ActionButton>
        </div>
      }
    >
      <p className="flex flex-wrap items-center gap-2">
        <b className="wrap-anywhere font-medium">{domain}</b>
        {verifiedAt ? <Badge tone="success">Verified</Badge> : <Badge>Not proven yet</Badge>}
        {checkedAt && (
          <span className="text-[13px] text-muted">
            Checked <Time at={checkedAt} />
          </span>
        )}
      </p>
      {problem && (
        <Alert tone="warning" title={failingSince ? 'The proof is gone' : 'The proof was not found'}>
          {problem}
          {verifiedAt && countsUntil && (
            <>
              {' '}
              It still counts until <Time at={countsUntil} />.
            </>
          )}
        </Alert>
      )}
      <p className="text-[13px] text-muted">Add this TXT record, and leave it there:</p>
      <ValueField label="Record name" value={proof.record} />
      <ValueField label="Record value" value={proof.text} />
    </Section>
  )
}
