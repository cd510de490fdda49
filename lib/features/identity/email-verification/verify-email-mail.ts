import { config } from '@/lib/base/config/env'
import type { Say } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import type { Mail } from '@/lib/base/mail/send-mail'

/**
 * Asks a new person, or one who changed the address, to confirm that they read mail here. It calls nobody by name: who signed
 * up with this address is not known yet.
 */
export function verifyEmailMail(say: Say, { url }: { url: string }): Mail {
  const service = config().SERVICE_NAME
  return composeMail({
    say,
    subject: say('confirm.mailSubject', { service }),
    paragraphs: [say('confirm.mailText', { service })],
    actions: [{ label: say('confirm.mailAction'), url }],
    footer: say('confirm.mailUnasked'),
    welcomes: true,
  })
}
