import { config } from '@/lib/base/config/env'
import type { Say } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import type { Mail } from '@/lib/base/mail/send-mail'

/** Tells the address a person had until now that it no longer opens the account. */
export function emailChangedMail(say: Say, { name, email }: { name: string; email: string }): Mail {
  const { SERVICE_NAME: service, HELP_URL, BASE_URL } = config()
  return composeMail({
    say,
    subject: say('confirm.toldSubject', { service }),
    name,
    paragraphs: [say('confirm.toldText', { service, email }), say('confirm.toldUnasked')],
    actions: HELP_URL ? [{ label: say('confirm.toldHelp'), url: new URL(HELP_URL, BASE_URL).href }] : [],
  })
}
