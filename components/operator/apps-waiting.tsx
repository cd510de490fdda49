import { Alert } from '../ui/alert'
import { ButtonLink } from '../ui/button-link'

/** How many apps wait for an operator's word, and the way to them; nothing where none does. */
export const AppsWaiting = ({ count }: { count: number }) =>
  count > 0 && (
    <Alert
      tone="warning"
      title={
        count === 1
          ? '1 app waits for your approval'
          : `${count.toLocaleString('en')} apps wait for your approval`
      }
      action={
        <ButtonLink href="/operator/apps?state=waiting" size="small">
          Review apps
        </ButtonLink>
      }
    >
      They registered themselves. Nobody can authorize them until an operator approves them.
    </Alert>
  )
