import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/confirm-action'
import { Section } from '../ui/card'

/** Ends what all people allowed an app, once its name was typed: what to do when its tokens have leaked. */
export function RevokeEverybody({
  app: { id, name, people },
  action,
}: {
  app: { id: string; name: string; people: number }
  action: FormAction
}) {
  return (
    <Section
      danger
      title="Revoke everybody’s access"
      description="What to do when tokens of your app have leaked. Everybody has to let it in again."
    >
      <div>
        <ConfirmAction
          trigger="Revoke everybody’s access"
          title="Revoke everybody’s access?"
          confirmLabel="Revoke everybody’s access"
          done="Access revoked"
          confirmName={name}
          action={action}
          fields={{ id }}
        >
          <p>
            {people === 1 ? '1 person loses' : `${people.toLocaleString('en')} people lose`} access through{' '}
            {name} right away: all of its codes and tokens for them are dead.
          </p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
