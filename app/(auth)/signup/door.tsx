import { MailCheck } from 'lucide-react'
import { readBrand } from '@/app/brand'
import { type DoorPage, one, refusedForm, withNext } from '@/app/door/door-page'
import { providerButtons } from '@/app/door/provider-buttons'
import { waitingFor } from '@/app/door/waiting-app'
import { DeadLink } from '@/components/auth/password-reset'
import { SignInHeading } from '@/components/auth/sign-in-page'
import { NoSignUp, SignUpForm } from '@/components/auth/sign-up-form'
import { DoorFrame } from '@/components/frame/door-frame'
import { MessageCard, NoOperator } from '@/components/frame/message-card'
import { ButtonAnchor } from '@/components/ui/button'
import { canSendMail } from '@/lib/base/mail/send-mail'
import { openSignUpLink } from '@/lib/features/identity/people/sign-up'
import { confirmsFirst, signUpDomains, signUpDoor } from '@/lib/features/identity/people/sign-up-policy'
import { lacksOperator } from '@/lib/features/operator/read-instance'

/**
 * The same parameters as the login page. Where an address is confirmed first it is asked for alone, `?state=sent` follows, and the
 * link that was mailed leads back here with `?token=`.
 */
export const signup: DoorPage = {
  referrer: 'same-origin',
  async show(visit) {
    const token = one(visit, 'token')
    const link = token === undefined ? undefined : openSignUpLink(token)
    const next = link?.next ?? one(visit, 'next')
    const door = signUpDoor(next)
    const brand = readBrand()
    const { app, say } = await waitingFor(visit)
    const heading = app
      ? say('signup.headingApp', { app: app.name })
      : say('signup.heading', { service: brand.serviceName })
    const beside = (
      <>
        {say('signup.have')}{' '}
        <a href={withNext('/login', next)} className="text-link underline underline-offset-3">
          {say('login.submit')}
        </a>
        {(await lacksOperator()) && <NoOperator say={say} />}
      </>
    )
    const domains = signUpDomains()
    const mailed = token === undefined && confirmsFirst()
    const sent = mailed && one(visit, 'state') === 'sent'
    const page =
      door !== 'open' ? (
        <NoSignUp say={say} brand={brand} door={door} />
      ) : sent ? (
        <MessageCard icon={MailCheck} tone="success" title={say('forgot.sent')}>
          <p>{say('signup.sentWhy')}</p>
          <p>{say('forgot.sentNothing')}</p>
        </MessageCard>
      ) : token !== undefined && !link ? (
        <DeadLink say={say} action={<ButtonAnchor href="/signup">{say('link.another')}</ButtonAnchor>} />
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
            providers={link ? [] : providerButtons()}
            by={link && token ? { link: token, email: link.email } : mailed ? 'mail' : 'form'}
            mails={canSendMail()}
          />
        </>
      )
    return {
      say,
      title: say('signup.title'),
      page: (
        <DoorFrame brand={brand} say={say} logo={!app || door !== 'open' || sent} beside={beside}>
          {page}
        </DoorFrame>
      ),
    }
  },
}
