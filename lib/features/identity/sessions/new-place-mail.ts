import { config } from '@/lib/base/config/env'
import { describeDevice } from '@/lib/base/http/visitor'
import type { Say } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import type { Mail } from '@/lib/base/mail/send-mail'
import type { SignInOrigin } from './sign-in-place'

/** Tells of a sign-in from somewhere new: by what, from where and when, and what to do if it was somebody else. */
export function newPlaceMail(say: Say, name: string, session: SignInOrigin & { createdAt: Date }): Mail {
  const { BASE_URL, SERVICE_NAME: service } = config()
  const { ip, userAgent, createdAt } = session
  const at = new Intl.DateTimeFormat(say.language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return composeMail({
    say,
    subject: say('mail.subject', { what: say('signin.newSubject'), service }),
    name,
    paragraphs: [
      say('signin.newText', { device: describeDevice(userAgent, say), time: `${at.format(createdAt)} UTC` }),
      ...(ip ? [say('changed.from', { ip })] : []),
      say('changed.advice'),
    ],
    actions: [
      { label: say('signin.review'), url: `${BASE_URL}/account/sessions` },
      { label: say('reset.mailAction'), url: `${BASE_URL}/forgot-password` },
    ],
  })
}
