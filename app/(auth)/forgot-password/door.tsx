import { MailCheck, MailX } from 'lucide-react'
import { readBrand } from '@/app/brand'
import { type DoorPage, one, refusedForm, sayTo } from '@/app/door/door-page'
import { ForgotPasswordForm } from '@/components/auth/password-reset'
import { DoorFrame } from '@/components/frame/door-frame'
import { MessageCard } from '@/components/frame/message-card'
import { ButtonAnchor } from '@/components/ui/button'
import { CardHeading } from '@/components/ui/card'
import { TextAnchor } from '@/components/ui/text-anchor'
import { canSendMail } from '@/lib/base/mail/send-mail'

/** `?state=sent` after the form; it looks the same whoever the address belongs to. */
export const forgotPassword: DoorPage = {
  async show(visit) {
    const say = sayTo(visit)
    const back = <ButtonAnchor href="/login">{say('forgot.back')}</ButtonAnchor>
    const page = (
      <DoorFrame brand={readBrand()} say={say}>
        {!canSendMail() ? (
          <MessageCard icon={MailX} tone="warning" title={say('forgot.noMail')} action={back}>
            <p>{say('forgot.noMailWhy')}</p>
          </MessageCard>
        ) : one(visit, 'state') === 'sent' ? (
          <MessageCard icon={MailCheck} tone="success" title={say('forgot.sent')} action={back}>
            <p>{say('forgot.sentWhy')}</p>
            <p>{say('forgot.sentNothing')}</p>
          </MessageCard>
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
      </DoorFrame>
    )
    return { say, title: say('forgot.title'), page }
  },
}
