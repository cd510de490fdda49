import { config } from '@/lib/base/config/env'
import { composeMail } from '@/lib/base/mail/compose-mail'
import type { Mail } from '@/lib/base/mail/mail'

/** Tells the address a person had until now that it no longer opens the account. */
export const emailChangedMail = ({ name, email }: { name: string; email: string }): Mail =>
  composeMail({
    subject: `Your email address at ${config().SERVICE_NAME} was changed`,
    name,
    paragraphs: [
      `From now on you sign in to ${config().SERVICE_NAME} with ${email}, and mails go there.`,
      'If it was not you, tell whoever runs this service at once: this address no longer opens the account.',
    ],
    actions: config().HELP_URL ? [{ label: 'Ask for help', url: helpAddress() }] : [],
  })

const helpAddress = () => new URL(config().HELP_URL as string, config().BASE_URL).href
