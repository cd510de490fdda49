import type { Say } from '@/lib/base/language/say'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { AuthMessage } from '../frame/message-card'
import { Alert } from '../ui/alert'
import { Button, ButtonAnchor } from '../ui/button'
import { Link2Off } from '../ui/icon'
import { EmailField, PasswordField } from './fields'

/** The form for the email address to which a reset link is sent. */
export function ForgotPasswordForm({ say, refused }: { say: Say; refused?: RefusedForm | undefined }) {
  return (
    <form method="post" action="/forgot-password/submit" className="grid gap-4">
      {refused?.message && <Alert tone="danger" title={say.known(refused.message)} />}
      <EmailField say={say} value={refused?.values.email} error={refused?.fields.email} autoFocus />
      <Button type="submit" variant="primary" size="large" wide>
        {say('forgot.submit')}
      </Button>
    </form>
  )
}

/**
 * The form for a new password. `token` is the token from the emailed link. `email` identifies the account for
 * password managers.
 */
export function ResetPasswordForm({
  say,
  token,
  email,
  refused,
}: {
  say: Say
  token: string
  email: string
  refused?: RefusedForm | undefined
}) {
  return (
    <form method="post" action="/reset-password/submit" className="grid gap-4">
      {refused?.message && <Alert tone="danger" title={say.known(refused.message)} />}
      <input type="hidden" name="token" value={token} />
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        say={say}
        label={say('reset.password')}
        rated
        autoFocus
        error={refused?.fields.password}
      />
      <Button type="submit" variant="primary" size="large" wide>
        {say('reset.submit')}
      </Button>
    </form>
  )
}

/**
 * Shows that an emailed link no longer works. `href` is the page on which the user can request a new link.
 */
export const DeadLink = ({ say, href }: { say: Say; href: string }) => (
  <AuthMessage
    icon={Link2Off}
    tone="warning"
    title={say('link.dead')}
    action={
      <ButtonAnchor href={href} variant="primary" size="large" wide>
        {say('link.another')}
      </ButtonAnchor>
    }
  >
    <p>{say('link.deadWhy')}</p>
  </AuthMessage>
)
