import { CardHeading } from '@/components/ui/card'
import type { Say } from '@/lib/base/language/say'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import type { Brand } from '../frame/brand'
import { Alert } from '../ui/alert'
import { Breakable } from '../ui/breakable'
import { Button } from '../ui/button'
import { TextField } from '../ui/field'
import { EmailField, PasswordField } from './fields'
import { type ProviderChoice, Providers, WaySeparator } from './providers'

/**
 * The form for a new account, below the buttons of the identity providers. If the form must email a link, but
 * the instance cannot send email, a warning replaces the form. For `refused` and `next`, see SignInForm.
 * @param by how the account is created: by this form, by a link that this form emails, or by the form that
 * such a link opens
 */
export function SignUpForm({
  say,
  action,
  next,
  refused,
  providers = [],
  by,
  mails,
}: {
  say: Say
  action: string
  next?: string | undefined
  refused?: RefusedForm | undefined
  providers?: ProviderChoice[]
  by: 'form' | 'mail' | { link: string; email: string }
  /** Whether the instance can send email. */
  mails: boolean
}) {
  const { fields, values, message } = refused ?? { fields: {}, values: {} }
  const link = typeof by === 'object' ? by : undefined
  const lacksMail = by === 'mail' && !mails
  return (
    <div className="grid gap-5">
      {providers.length > 0 && (
        <>
          <div className="grid gap-2">
            <Providers providers={providers} next={next} say={say} />
          </div>
          {!lacksMail && <WaySeparator>{say('login.orEmail')}</WaySeparator>}
        </>
      )}
      {lacksMail ? (
        <Alert tone="warning" title={say('forgot.noMail')}>
          {say('signup.noMailWhy')}
        </Alert>
      ) : (
        <form method="post" action={action} className="grid gap-4">
          {message && <Alert tone="danger" title={say.known(message)} />}
          {link ? (
            <>
              <input type="hidden" name="token" value={link.link} />
              <input
                type="email"
                name="username"
                autoComplete="username"
                value={link.email}
                readOnly
                hidden
              />
              <p className="wrap-anywhere text-muted text-sm">
                <Breakable text={say('reset.for', { email: link.email })} />
              </p>
            </>
          ) : (
            next && <input type="hidden" name="next" value={next} />
          )}
          {by !== 'mail' && (
            <TextField
              label={say('signup.name')}
              name="name"
              autoComplete="name"
              scale="large"
              required
              maxLength={80}
              defaultValue={values.name}
              error={fields.name && say.known(fields.name)}
            />
          )}
          {!link && <EmailField say={say} value={values.email} error={fields.email} />}
          {by !== 'mail' && (
            <PasswordField say={say} label={say('login.password')} rated error={fields.password} />
          )}
          <Button type="submit" variant="primary" size="large" wide className="mt-1">
            {by === 'mail' ? say('forgot.submit') : say('signup.submit')}
          </Button>
        </form>
      )}
    </div>
  )
}

/** Replaces the form if sign-up is closed, or open only to users who follow an invitation. */
export const NoSignUp = ({ say, brand, access }: { say: Say; brand: Brand; access: 'invited' | 'closed' }) =>
  access === 'invited' ? (
    <CardHeading title={say('signup.invited')}>
      {say('signup.invitedText', { service: brand.serviceName })}
    </CardHeading>
  ) : (
    <CardHeading title={say('signup.closed')}>
      {say('signup.closedText', { service: brand.serviceName })}
    </CardHeading>
  )
