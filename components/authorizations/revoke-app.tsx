import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/confirm-action'

/** Takes back what a person allowed an app. */
export function RevokeApp({ id, name, revoke }: { id: string; name: string; revoke: FormAction }) {
  return (
    <ConfirmAction
      trigger="Revoke"
      triggerLook={{ size: 'small' }}
      triggerLabel={`Revoke ${name}`}
      title={`Revoke ${name}?`}
      confirmLabel="Revoke access"
      done="Access revoked"
      action={revoke}
      fields={{ id }}
    >
      <p>{name} loses access right away. It has to ask again to get back in.</p>
    </ConfirmAction>
  )
}
