'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { TextAreaField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'

/**
 * A form to verify an app, to decline to verify it, or to remove its verification, with an optional message
 * to the app's admins.
 */
export function AppDecision({
  app: { id, version, verified },
  action,
}: {
  app: { id: string; version: number; verified: boolean }
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  return (
    <form action={submit}>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="version" value={version} />
      <Section
        title="Decision"
        description="Verify an app only if you know who runs it. Users see that the app is verified wherever it requests access. This mark is separate from the verified domain."
        footer={
          <div className="ml-auto flex gap-2">
            <SubmitButton variant="secondary" name="decision" value="decline">
              {verified ? 'Remove verification' : 'Decline'}
            </SubmitButton>
            {!verified && (
              <SubmitButton name="decision" value="verify">
                Verify app
              </SubmitButton>
            )}
          </div>
        }
      >
        <FormOutcome state={state} saved="Decided" />
        <TextAreaField
          label="Message to its admins"
          name="word"
          optional
          rows={3}
          maxLength={500}
          hint="Sent to the admins and kept in the history."
          defaultValue={state.values.word}
          error={state.fields.word}
        />
      </Section>
    </form>
  )
}
