import { CircleCheck } from 'lucide-react'
import type { Metadata } from 'next'
import { readBrand } from '@/app/brand'
import { DeadLink } from '@/components/auth/dead-link'
import { CardFrame, CardHeading } from '@/components/frame/card-frame'
import { MessageCard } from '@/components/frame/message-card'
import { Button, ButtonLink } from '@/components/ui/button'
import { findEmailToken } from '@/lib/email-tokens/redeem-email-token'
import { type AuthSearchParams, readAuthParams } from '../search-params'

export const metadata: Metadata = { title: 'Confirm your email address', referrer: 'same-origin' }

/** Where the mailed link leads. The button uses it up, not opening it: mail scanners open links before people do. */
export default async function VerifyEmailPage({ searchParams }: { searchParams: AuthSearchParams }) {
  const { refused } = await readAuthParams(searchParams)
  const params = await searchParams
  const token = [params.token].flat()[0] ?? ''
  const link = refused ? undefined : await findEmailToken('VERIFY_EMAIL', token)
  const onward = <ButtonLink href="/">Continue</ButtonLink>
  return (
    <CardFrame brand={readBrand()}>
      {params.state === 'done' ? (
        <MessageCard icon={CircleCheck} tone="success" title="Your address is confirmed" action={onward}>
          <p>From now on mails and sign-ins with this address are yours.</p>
        </MessageCard>
      ) : link ? (
        <>
          <CardHeading title="Confirm your email address">
            {link.email === link.user.email
              ? `Is ${link.email} your address?`
              : `${link.email} will be your address in place of ${link.user.email}.`}
          </CardHeading>
          <form method="post" action="/verify-email/submit">
            <input type="hidden" name="token" value={token} />
            <Button type="submit" variant="primary" size="large" wide>
              Confirm email address
            </Button>
          </form>
        </>
      ) : (
        <DeadLink action={<ButtonLink href="/account/security">Send another link</ButtonLink>} />
      )}
    </CardFrame>
  )
}
