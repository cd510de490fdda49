import { config } from '@/lib/base/config/env'
import type { Say } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import type { Mail } from '@/lib/base/mail/send-mail'

/** Goes to the address of an account that has just been deleted, as the last thing. */
export function accountDeletedMail(say: Say, name: string): Mail {
  const service = config().SERVICE_NAME
  return composeMail({
    say,
    subject: say('deleted.mailSubject', { service }),
    name,
    paragraphs: [say('deleted.mailText', { service })],
    footer: say('deleted.mailUnasked'),
  })
}
