import { MailCheck, MailX } from 'lucide-react'
import type { Metadata } from 'next'
import { readBrand } from '@/app/brand'
import { ForgotPasswordForm } from '@/components/auth/forgot-password-form'
import { CardFrame, CardHeading } from '@/components/frame/card-frame'
import { MessageCard } from '@/components/frame/message-card'
import { ButtonLink } from '@/components/ui/button'
import { TextLink } from '@/components/ui/text-link'
import { canSendMail } from '@/lib/base/mail/send-mail'
import { type AuthSearchParams, readAuthParams } from '../search-params'

export const metadata: Metadata = { title: 'Forgot your password' }

/** `?state=sent` after the form; it looks the same whoever the address belongs to. */
export default async function ForgotPasswordPage({ searchParams }: { searchParams: AuthSearchParams }) {
  const { refused } = await readAuthParams(searchParams)
  const back = <ButtonLink href="/login">Back to sign-in</ButtonLink>
  return (
    <CardFrame brand={readBrand()}>
      {!canSendMail() ? (
        <MessageCard icon={MailX} tone="warning" title="No mail from here" action={back}>
          <p>This service is not set up to send mail. Ask whoever runs it to set a new password for you.</p>
        </MessageCard>
      ) : (await searchParams).state === 'sent' ? (
        <MessageCard icon={MailCheck} tone="success" title="Look into your mailbox" action={back}>
          <p>If an account has this address, a mail with a link is on its way. The link works for an hour.</p>
          <p>Nothing there after a few minutes? Look among the spam, and check the address.</p>
        </MessageCard>
      ) : (
        <>
          <CardHeading title="Forgot your password?">
            Enter your email address, and a link for setting a new password is mailed to you.
          </CardHeading>
          <ForgotPasswordForm refused={refused} />
          <p className="mt-4 text-center text-muted text-sm">
            <TextLink href="/login" className="text-muted">
              Back to sign-in
            </TextLink>
          </p>
        </>
      )}
    </CardFrame>
  )
}
