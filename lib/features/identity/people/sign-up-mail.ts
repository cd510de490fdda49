import { config } from '@/lib/base/config/env'
import { signInPath } from '@/lib/base/http/safe-next'
import type { Say } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import type { Mail } from '@/lib/base/mail/send-mail'

/** Carries the link by which somebody makes an account. It calls nobody by name: who typed the address is not known. */
export function signUpMail(say: Say, token: string): Mail {
  const service = config().SERVICE_NAME
  return composeMail({
    say,
    subject: say('signup.mailSubject', { service }),
    paragraphs: [say('signup.mailText', { service })],
    actions: [
      {
        label: say('signup.submit'),
        url: `${config().BASE_URL}/signup?${new URLSearchParams({ token })}`,
      },
    ],
    footer: say('signup.mailUnasked'),
  })
}

/** In its place for somebody who has an account: the page where the address was typed says nothing of that. */
export function haveAccountMail(say: Say, { name, next }: { name: string; next: string }): Mail {
  const service = config().SERVICE_NAME
  const { BASE_URL: base } = config()
  return composeMail({
    say,
    subject: say('signup.haveSubject', { service }),
    name,
    paragraphs: [say('signup.haveText', { service })],
    actions: [
      { label: say('login.submit'), url: `${base}${signInPath(next)}` },
      { label: say('reset.mailAction'), url: `${base}/forgot-password` },
    ],
    footer: say('signup.mailUnasked'),
  })
}
