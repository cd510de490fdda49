'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { useFormAction } from '../forms/use-form-action'
import { Alert } from '../ui/alert'
import { Section } from '../ui/card'
import { SecretOnce } from '../ui/secret-once'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { Time } from '../ui/time'

/**
 * Lets admins rotate the secret that signs messages. To avoid an outage, messages are also signed with the
 * previous secret for 24 hours. The new secret is shown once after the rotation.
 */
export function SigningSecretSection({
  place,
  previousUntil,
  rotate,
}: {
  /** Hidden fields that identify the webhook or the audit log. */
  place: Record<string, string>
  /** The time at which the previous secret expires; null if there is no previous secret or it has expired. */
  previousUntil: Date | null
  rotate: FormAction<{ secret: string }>
}) {
  const [rotated, submit] = useFormAction(rotate)
  return (
    <>
      {rotated.result && (
        <SecretOnce
          key={rotated.turn}
          label="Signing secret"
          value={rotated.result.secret}
          env={{ WEBHOOK_SECRET: rotated.result.secret }}
          ifLost="rotate the secret again"
        />
      )}
      <Section
        title="Signing secret"
        description="Your server uses it to verify our messages. For 24 hours after a rotation, messages are also signed with the old secret."
      >
        {rotated.message && <Alert tone="danger" title={rotated.message} />}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-1 basis-52 text-muted">
            {previousUntil ? (
              <>
                The previous secret also signs messages. It expires <Time at={previousUntil} />, or
                immediately if you rotate again.
              </>
            ) : (
              '1 active secret.'
            )}
          </p>
          <form action={submit}>
            <HiddenFields fields={place} />
            <SubmitButton variant="secondary">Rotate secret</SubmitButton>
          </form>
        </div>
      </Section>
    </>
  )
}
