import { CircleCheck } from 'lucide-react'
import type { Metadata } from 'next'
import { readBrand } from '@/app/brand'
import { ConfirmEmail } from '@/components/auth/confirm-email'
import { DeadLink } from '@/components/auth/dead-link'
import { CardFrame } from '@/components/frame/card-frame'
import { MessageCard } from '@/components/frame/message-card'
import { ButtonLink } from '@/components/ui/button'
import { currentSession } from '@/lib/edges/web/session/current-session'
import { findEmailToken } from '@/lib/features/identity/email-tokens/redeem-email-token'
import { type AuthSearchParams, readAuthParams } from '../search-params'

export const metadata: Metadata = { title: 'Confirm your email address', referrer: 'same-origin' }

/**
 * Where the mailed link leads. The button uses it up, not opening it: mail scanners open links before people do. And it
 * takes the session of the account that asked for it: reading the mail alone proves nobody's account.
 */
export default async function VerifyEmailPage({ searchParams }: { searchParams: AuthSearchParams }) {
  const { refused } = await readAuthParams(searchParams)
  const params = await searchParams
  const token = [params.token].flat()[0] ?? ''
  const link = await findEmailToken('VERIFY_EMAIL', token)
  const person = (await currentSession())?.person
  const path = `/verify-email?${new URLSearchParams({ token })}`
  return (
    <CardFrame brand={readBrand()}>
      {params.state === 'done' ? (
        <MessageCard
          icon={CircleCheck}
          tone="success"
          title="Your address is confirmed"
          action={<ButtonLink href="/">Continue</ButtonLink>}
        >
          <p>From now on mails and sign-ins with this address are yours.</p>
        </MessageCard>
      ) : link ? (
        <ConfirmEmail
          link={{ token, email: link.email, present: link.user.email, path }}
          own={link.user.id === person?.id}
          signedInAs={person?.email}
          refused={refused?.message}
        />
      ) : (
        <DeadLink action={<ButtonLink href="/account/security">Send another link</ButtonLink>} />
      )}
    </CardFrame>
  )
}
