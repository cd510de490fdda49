import { CircleCheck } from 'lucide-react'
import { readBrand } from '@/app/brand'
import { type DoorPage, one, refusedForm, sayTo, sessionOf } from '@/app/door/door-page'
import { ConfirmEmail } from '@/components/auth/confirm-email'
import { DeadLink } from '@/components/auth/password-reset'
import { DoorFrame } from '@/components/frame/door-frame'
import { MessageCard } from '@/components/frame/message-card'
import { ButtonAnchor } from '@/components/ui/button'
import { findEmailToken } from '@/lib/features/identity/email/email-tokens'

/**
 * Where the mailed link leads. The button uses it up, not opening it: mail scanners open links before people do. And it
 * takes the session of the account that asked for it: reading the mail alone proves nobody's account.
 */
export const verifyEmail: DoorPage = {
  referrer: 'same-origin',
  async show(visit) {
    const say = sayTo(visit)
    const token = one(visit, 'token') ?? ''
    const link = await findEmailToken('VERIFY_EMAIL', token)
    const person = (await sessionOf(visit))?.person
    const path = `/verify-email?${new URLSearchParams({ token })}`
    const page = (
      <DoorFrame brand={readBrand()} say={say}>
        {one(visit, 'state') === 'done' ? (
          <MessageCard
            icon={CircleCheck}
            tone="success"
            title={say('confirm.done')}
            action={<ButtonAnchor href="/">{say('confirm.continue')}</ButtonAnchor>}
          >
            <p>{say('confirm.doneWhy')}</p>
          </MessageCard>
        ) : link ? (
          <ConfirmEmail
            say={say}
            link={{ token, email: link.email, present: link.user.email, path }}
            own={link.user.id === person?.id}
            signedInAs={person?.email}
            refused={refusedForm(visit, say)?.message}
          />
        ) : (
          <DeadLink
            say={say}
            action={<ButtonAnchor href="/account/security">{say('link.another')}</ButtonAnchor>}
          />
        )}
      </DoorFrame>
    )
    return { say, title: say('confirm.title'), page }
  },
}
