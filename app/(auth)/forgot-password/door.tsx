import { MailCheck, MailX } from 'lucide-react'
import { readBrand } from '@/app/brand'
import { type DoorPage, one, refusedForm } from '@/app/door/door-page'
import { ForgotPasswordForm } from '@/components/auth/forgot-password-form'
import { CardFrame, CardHeading } from '@/components/frame/card-frame'
import { MessageCard } from '@/components/frame/message-card'
import { ButtonAnchor } from '@/components/ui/button'
import { TextAnchor } from '@/components/ui/text-anchor'
import { canSendMail } from '@/lib/base/mail/send-mail'

/** `?state=sent` after the form; it looks the same whoever the address belongs to. */
export const forgotPassword: DoorPage = {
  title: 'Forgot your password',
  async show(visit) {
    const back = <ButtonAnchor href="/login">Back to sign-in</ButtonAnchor>
    return (
      <CardFrame brand={readBrand()}>
        {!canSendMail() ? (
          <MessageCard icon={MailX} tone="warning" title="No mail from here" action={back}>
            <p>This service is not set up to send mail. Ask whoever runs it to set a new password for you.</p>
          </MessageCard>
        ) : one(visit, 'state') === 'sent' ? (
          <MessageCard icon={MailCheck} tone="success" title="Look into your mailbox" action={back}>
            <p>
              If an account has this address, a mail with a link is on its way. The link works for an hour.
            </p>
            <p>Nothing there after a few minutes? Look among the spam, and check the address.</p>
          </MessageCard>
        ) : (
          <>
            <CardHeading title="Forgot your password?">
              Enter your email address, and a link for setting a new password is mailed to you.
            </CardHeading>
            <ForgotPasswordForm refused={refusedForm(visit)} />
            <p className="mt-4 text-center text-muted text-sm">
              <TextAnchor href="/login" className="text-muted">
                Back to sign-in
              </TextAnchor>
            </p>
          </>
        )}
      </CardFrame>
    )
  },
}
