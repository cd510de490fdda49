import {
  type AuthPage,
  providerButtons,
  queryValue,
  refusedForm,
  sessionOf,
  translatorForVisitor,
  waitingApp,
  withNext,
} from '@/app/auth-pages/auth-page'
import { readBrand } from '@/app/brand'
import { ConfirmEmail } from '@/components/auth/confirm-email'
import { DeadLink, ForgotPasswordForm, ResetPasswordForm } from '@/components/auth/password-reset'
import { SignInHeading } from '@/components/auth/sign-in-page'
import { NoSignUp, SignUpForm } from '@/components/auth/sign-up-form'
import { AuthFrame } from '@/components/frame/auth-frame'
import { AuthMessage, NoInstanceAdmin } from '@/components/frame/message-card'
import { Breakable } from '@/components/ui/breakable'
import { ButtonAnchor, TextAnchor } from '@/components/ui/button'
import { CardHeading } from '@/components/ui/card'
import { CircleCheck, MailCheck, MailX } from '@/components/ui/icon'
import { Message } from '@/components/ui/stack'
import type { Say } from '@/lib/base/language/say'
import { canSendMail } from '@/lib/base/mail/send-mail'
import { findEmailToken } from '@/lib/features/identity/email/email-tokens'
import { openSignUpLink } from '@/lib/features/identity/users/sign-up'
import { confirmsFirst, signUpAccess, signUpDomains } from '@/lib/features/identity/users/sign-up-policy'
import { lacksInstanceAdmin } from '@/lib/features/instance-admin/read-instance'

/**
 * The sign-up page. It accepts the same parameters as the sign-in page. If sign-up requires an emailed link,
 * the form requests only an email address and then redirects to `?state=sent`. The emailed link opens the
 * page with `?token=`.
 */
export const signUpPage: AuthPage = {
  referrer: 'same-origin',
  async show(visit) {
    const token = queryValue(visit, 'token')
    const link = token === undefined ? undefined : openSignUpLink(token)
    const next = link?.next ?? queryValue(visit, 'next')
    const access = signUpAccess(next)
    const brand = readBrand()
    const { app, say } = await waitingApp(visit)
    const heading = app
      ? say('signup.headingApp', { app: app.name })
      : say('signup.heading', { service: brand.serviceName })
    const below = (
      <>
        {say('signup.have')}{' '}
        <a href={withNext('/login', next)} className="text-link underline underline-offset-3">
          {say('login.submit')}
        </a>
        {(await lacksInstanceAdmin()) && <NoInstanceAdmin say={say} />}
      </>
    )
    const domains = signUpDomains()
    const mailed = token === undefined && confirmsFirst()
    const sent = mailed && queryValue(visit, 'state') === 'sent'
    const page =
      access !== 'open' ? (
        <NoSignUp say={say} brand={brand} access={access} />
      ) : sent ? (
        <AuthMessage icon={MailCheck} tone="success" title={say('forgot.sent')}>
          <p>{say('signup.sentWhy')}</p>
          <p>{say('forgot.sentNothing')}</p>
        </AuthMessage>
      ) : token !== undefined && !link ? (
        <DeadLink say={say} href="/signup" />
      ) : (
        <>
          <SignInHeading say={say} brand={brand} app={app} title={heading}>
            {domains && !link && domains.length > 0
              ? say('signup.domains', { domains: domains.join(', ') })
              : say('signup.lead')}
          </SignInHeading>
          <SignUpForm
            say={say}
            action="/signup/submit"
            next={next}
            refused={refusedForm(visit, say)}
            providers={link ? [] : providerButtons(visit)}
            by={link && token ? { link: token, email: link.email } : mailed ? 'mail' : 'form'}
            mails={canSendMail()}
          />
        </>
      )
    return {
      say,
      title: say('signup.title'),
      page: (
        <AuthFrame brand={brand} say={say} logo={!app || access !== 'open' || sent} below={below}>
          {page}
        </AuthFrame>
      ),
    }
  },
}

/**
 * The page on which users request a password reset link. With `?state=sent`, the page looks the same whether
 * or not an account has the email address. On instances that cannot send email, the page has no form and
 * explains why.
 */
export const forgotPasswordPage: AuthPage = {
  async show(visit) {
    const say = translatorForVisitor(visit)
    const back = (
      <ButtonAnchor href="/login" size="large" wide>
        {say('forgot.back')}
      </ButtonAnchor>
    )
    const page = (
      <AuthFrame brand={readBrand()} say={say}>
        {!canSendMail() ? (
          <AuthMessage icon={MailX} tone="warning" title={say('forgot.noMail')} action={back}>
            <p>{say('forgot.noMailWhy')}</p>
          </AuthMessage>
        ) : queryValue(visit, 'state') === 'sent' ? (
          <AuthMessage icon={MailCheck} tone="success" title={say('forgot.sent')} action={back}>
            <p>{say('forgot.sentWhy')}</p>
            <p>{say('forgot.sentNothing')}</p>
          </AuthMessage>
        ) : (
          <>
            <CardHeading title={say('forgot.heading')}>{say('forgot.lead')}</CardHeading>
            <ForgotPasswordForm say={say} refused={refusedForm(visit, say)} />
            <p className="mt-4 text-center text-muted text-sm">
              <TextAnchor href="/login" className="text-muted">
                {say('forgot.back')}
              </TextAnchor>
            </p>
          </>
        )}
      </AuthFrame>
    )
    return { say, title: say('forgot.title'), page }
  },
}

/**
 * The page that an emailed password reset link opens. Opening the page does not use up the link. With
 * `?state=done` or `?state=cleared`, the page shows that the password was changed.
 */
export const resetPasswordPage: AuthPage = {
  referrer: 'same-origin',
  async show(visit) {
    const say = translatorForVisitor(visit)
    const token = queryValue(visit, 'token') ?? ''
    const state = queryValue(visit, 'state')
    const link = await findEmailToken('RESET_PASSWORD', token)
    const page = (
      <AuthFrame brand={readBrand()} say={say}>
        {state === 'done' || state === 'cleared' ? (
          <Done say={say} cleared={state === 'cleared'} />
        ) : link ? (
          <>
            <CardHeading title={say('reset.title')}>
              <Breakable text={say('reset.for', { email: link.user.email })} />
            </CardHeading>
            <ResetPasswordForm
              say={say}
              token={token}
              email={link.user.email}
              refused={refusedForm(visit, say)}
            />
          </>
        ) : (
          <DeadLink say={say} href="/forgot-password" />
        )}
      </AuthFrame>
    )
    return { say, title: say('reset.title'), page }
  },
}

const Done = ({ say, cleared }: { say: Say; cleared: boolean }) => (
  <AuthMessage
    icon={CircleCheck}
    tone="success"
    title={say('reset.done')}
    action={
      <ButtonAnchor href="/login" variant="primary" size="large" wide>
        {say('login.submit')}
      </ButtonAnchor>
    }
  >
    <p>{say('reset.doneWhy')}</p>
    <p>
      {cleared ? (
        say('reset.cleared')
      ) : (
        <Message
          of={say.parts('reset.stillOpen', {
            tokens: (text) => <TextAnchor href="/account/tokens">{text}</TextAnchor>,
            apps: (text) => <TextAnchor href="/account/apps">{text}</TextAnchor>,
          })}
        />
      )}
    </p>
  </AuthMessage>
)

/**
 * The page that an emailed verification link opens. Only the button uses up the link, because mail scanners
 * open links before users do. The button requires a session of the account that requested the link, because
 * access to the mailbox alone does not prove who owns the account.
 */
export const verifyEmailPage: AuthPage = {
  referrer: 'same-origin',
  async show(visit) {
    const say = translatorForVisitor(visit)
    const token = queryValue(visit, 'token') ?? ''
    const link = await findEmailToken('VERIFY_EMAIL', token)
    const user = (await sessionOf(visit))?.user
    const path = `/verify-email?${new URLSearchParams({ token })}`
    const page = (
      <AuthFrame brand={readBrand()} say={say}>
        {queryValue(visit, 'state') === 'done' ? (
          <AuthMessage
            icon={CircleCheck}
            tone="success"
            title={say('confirm.done')}
            action={
              <ButtonAnchor href="/" variant="primary" size="large" wide>
                {say('confirm.continue')}
              </ButtonAnchor>
            }
          >
            <p>{say('confirm.doneWhy')}</p>
          </AuthMessage>
        ) : link ? (
          <ConfirmEmail
            say={say}
            link={{ token, email: link.email, present: link.user.email, path }}
            own={link.user.id === user?.id}
            signedInAs={user?.email}
            refused={refusedForm(visit, say)?.message}
          />
        ) : (
          <DeadLink say={say} href="/account/security" />
        )}
      </AuthFrame>
    )
    return { say, title: say('confirm.title'), page }
  },
}
