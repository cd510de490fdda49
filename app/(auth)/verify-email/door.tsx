import { CircleCheck } from 'lucide-react'
import { readBrand } from '@/app/brand'
import { type DoorPage, one, refusedForm, sessionOf } from '@/app/door/door-page'
import { ConfirmEmail } from '@/components/auth/confirm-email'
import { DeadLink } from '@/components/auth/dead-link'
import { CardFrame } from '@/components/frame/card-frame'
import { MessageCard } from '@/components/frame/message-card'
import { ButtonAnchor } from '@/components/ui/button'
import { findEmailToken } from '@/lib/features/identity/email-tokens/redeem-email-token'

/**
 * Where the mailed link leads. The button uses it up, not opening it: mail scanners open links before people do. And it
 * takes the session of the account that asked for it: reading the mail alone proves nobody's account.
 */
export const verifyEmail: DoorPage = {
  title: 'Confirm your email address',
  referrer: 'same-origin',
  async show(visit) {
    const token = one(visit, 'token') ?? ''
    const link = await findEmailToken('VERIFY_EMAIL', token)
    const person = (await sessionOf(visit))?.person
    const path = `/verify-email?${new URLSearchParams({ token })}`
    return (
      <CardFrame brand={readBrand()}>
        {one(visit, 'state') === 'done' ? (
          <MessageCard
            icon={CircleCheck}
            tone="success"
            title="Your address is confirmed"
            action={<ButtonAnchor href="/">Continue</ButtonAnchor>}
          >
            <p>From now on mails and sign-ins with this address are yours.</p>
          </MessageCard>
        ) : link ? (
          <ConfirmEmail
            link={{ token, email: link.email, present: link.user.email, path }}
            own={link.user.id === person?.id}
            signedInAs={person?.email}
            refused={refusedForm(visit)?.message}
          />
        ) : (
          <DeadLink action={<ButtonAnchor href="/account/security">Send another link</ButtonAnchor>} />
        )}
      </CardFrame>
    )
  },
}
