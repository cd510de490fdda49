import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { ConfirmAction } from '../forms/confirm-action'
import { Alert } from '../ui/alert'
import { Section } from '../ui/card'

type App = { id: string; name: string; awaitingApproval: boolean; disabledAt: Date | null }

/** An app that registered itself waits until an operator lets people authorize it. */
export const WaitingApp = ({ app, approve }: { app: App; approve: FormAction }) =>
  app.awaitingApproval && (
    <Alert
      tone="warning"
      title="This app waits for your approval"
      action={
        <ActionButton
          action={approve}
          fields={{ id: app.id }}
          look={{ variant: 'primary', size: 'small' }}
          done="People can authorize the app"
        >
          Approve app
        </ActionButton>
      }
    >
      It registered itself, and nobody can authorize it until then. If you don’t want it, disable it below.
    </Alert>
  )

/** Switches an app off for everybody, or on again. */
export function AppAccess({ app, disable, enable }: { app: App; disable: FormAction; enable: FormAction }) {
  return (
    <Section
      danger
      title="Access"
      description="Nobody can sign in with a disabled app, and its tokens stop working right away. What people allowed is kept."
    >
      <div>
        {app.disabledAt ? (
          <ActionButton action={enable} fields={{ id: app.id }} done="App enabled">
            Enable app
          </ActionButton>
        ) : (
          <ConfirmAction
            trigger="Disable app…"
            title={`Disable ${app.name}?`}
            confirmLabel="Disable app"
            done="App disabled"
            action={disable}
            fields={{ id: app.id }}
          >
            <p>Nobody can sign in with it any more, and its tokens stop working right away.</p>
          </ConfirmAction>
        )}
      </div>
    </Section>
  )
}
