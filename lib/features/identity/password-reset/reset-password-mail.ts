import { config } from '@/lib/base/config/env'
import type { Say } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import type { Mail } from '@/lib/base/mail/send-mail'

/** Carries the link by which a person who forgot the password sets another. */
export const resetPasswordMail = (say: Say, { name, url }: { name: string; url: string }): Mail =>
  composeMail({
    say,
    subject: say('reset.mailSubject', { service: config().SERVICE_NAME }),
    name,
    paragraphs: [say('reset.mailText')],
    actions: [{ label: say('reset.mailAction'), url }],
    footer: say('reset.mailUnasked'),
  })
