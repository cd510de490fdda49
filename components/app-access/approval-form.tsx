'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { ApprovalLimits, type Limits } from './approval-limits'

/**
 * A form to approve an app or to change its approval. If there are open requests for the app, ReviewRequest
 * is used instead.
 */
export function ApprovalForm({
  place,
  limits,
  approved,
  action,
}: {
  /** Hidden inputs that identify the app and the workspace. */
  place: Record<string, string>
  limits: Limits
  approved: boolean
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  return (
    <form action={submit}>
      <HiddenFields fields={place} />
      <Section
        title={approved ? 'Change approval' : 'Approve'}
        description="The maximum access that the app can have in this workspace, for every user."
        footer={<SubmitButton className="ml-auto">{approved ? 'Save approval' : 'Approve app'}</SubmitButton>}
      >
        <FormOutcome state={state} saved="App approved" />
        <ApprovalLimits limits={limits} state={state} />
      </Section>
    </form>
  )
}
