import { CircleCheck } from 'lucide-react'
import type { Metadata } from 'next'
import { readBrand } from '@/app/brand'
import { DeadLink } from '@/components/auth/dead-link'
import { ResetPasswordForm } from '@/components/auth/reset-password-form'
import { CardFrame, CardHeading } from '@/components/frame/card-frame'
import { MessageCard } from '@/components/frame/message-card'
import { ButtonLink } from '@/components/ui/button'
import { TextLink } from '@/components/ui/text-link'
import { findEmailToken } from '@/lib/features/identity/email-tokens/redeem-email-token'
import { type AuthSearchParams, readAuthParams } from '../search-params'

export const metadata: Metadata = { title: 'Set a new password', referrer: 'same-origin' }

/** Where the mailed link leads. Opening it uses nothing up; `?state=` tells what came of the form. */
export default async function ResetPasswordPage({ searchParams }: { searchParams: AuthSearchParams }) {
  const { refused } = await readAuthParams(searchParams)
  const params = await searchParams
  const token = [params.token].flat()[0] ?? ''
  const link = await findEmailToken('RESET_PASSWORD', token)
  const done = params.state === 'done' || params.state === 'cleared'
  return (
    <CardFrame brand={readBrand()}>
      {done ? (
        <MessageCard
          icon={CircleCheck}
          tone="success"
          title="Your password is set"
          action={
            <ButtonLink href="/login" variant="primary">
              Sign in
            </ButtonLink>
          }
        >
          <p>You were signed out everywhere. Sign in with the new password.</p>
          {params.state === 'done' && (
            <p>
              <TextLink href="/account/tokens">API tokens</TextLink> and{' '}
              <TextLink href="/account/apps">apps</TextLink> that you let in go on working. End those that you
              do not know.
            </p>
          )}
          {params.state === 'cleared' && (
            <p>
              Your address had never been confirmed, so somebody else may have set this account up. Tokens,
              authorized apps, SSH keys and second factors made before were removed; from your personal
              workspace also everybody else, with invitations, webhooks and the secrets and keys of its OAuth
              apps. Other workspaces were left as they are: leave those that you do not know.
            </p>
          )}
        </MessageCard>
      ) : link ? (
        <>
          <CardHeading title="Set a new password">For {link.user.email}.</CardHeading>
          <ResetPasswordForm token={token} email={link.user.email} refused={refused} />
        </>
      ) : (
        <DeadLink action={<ButtonLink href="/forgot-password">Send another link</ButtonLink>} />
      )}
    </CardFrame>
  )
}
