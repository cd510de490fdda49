'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton, ConfirmAction } from '../forms/action-button'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { ClaimedDomain, type ShownClaim } from '../ui/claimed-domain'
import { TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'
import { Time } from '../ui/time'

export type ShownDomain = ShownClaim & {
  proof: { text: string; record: string; file: string }
  /**
   * The time at which the verification ends if its proof stays missing. Null if the last check found the
   * proof, or if the domain has never been verified.
   */
  countsUntil: Date | null
}

type Actions = { claim: FormAction; verify: FormAction; remove: FormAction }

/** Shows the app's domain and its status, with forms to add, verify, and remove it. */
export function DomainSection({
  clientId,
  domain,
  actions,
}: {
  clientId: string
  domain: ShownDomain | null
  actions: Actions
}) {
  return domain ? (
    <NamedDomain clientId={clientId} named={domain} actions={actions} />
  ) : (
    <NewDomain clientId={clientId} claim={actions.claim} />
  )
}

function NewDomain({ clientId, claim }: { clientId: string; claim: FormAction }) {
  const [state, submit] = useFormAction(claim)
  return (
    <form action={submit}>
      <input type="hidden" name="id" value={clientId} />
      <Section
        title="Verified domain"
        description="After you verify that you own the domain, users and admins see it when the app requests access."
        footer={
          <SubmitButton variant="secondary" className="ml-auto">
            Add domain
          </SubmitButton>
        }
      >
        <FormOutcome state={state} />
        <TextField
          label="Domain"
          name="domain"
          required
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          hint="Example: example.com. The app’s website or a redirect URI must be an https URL in this domain."
          defaultValue={state.values.domain}
          error={state.fields.domain}
        />
      </Section>
    </form>
  )
}

function NamedDomain({
  clientId,
  named,
  actions,
}: {
  clientId: string
  named: ShownDomain
  actions: Actions
}) {
  const { domain, proof, countsUntil } = named
  return (
    <Section
      title="Verified domain"
      description="Once verified, it’s shown to users and admins when the app requests access. We recheck it daily."
      footer={
        <div className="ml-auto flex flex-wrap gap-2">
          <ConfirmAction
            trigger="Remove domain"
            triggerLook={{ variant: 'secondary' }}
            title={`Remove ${domain}?`}
            confirmLabel="Remove domain"
            done="Domain removed"
            action={actions.remove}
            fields={{ id: clientId }}
          >
            <p>
              Users and admins will no longer see this domain for the app. To verify it again, you must
              publish a new TXT record or file.
            </p>
          </ConfirmAction>
          <ActionButton action={actions.verify} fields={{ id: clientId }} look={{}} done="Checked">
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
              Verification expires <Time at={countsUntil} />.
            </>
          )
        }
      />
      <p className="text-[13px] text-muted">
        Or serve a text file that contains this value on its own line, without a redirect, at{' '}
        <span className="wrap-anywhere font-mono">{proof.file}</span>
      </p>
    </Section>
  )
}
