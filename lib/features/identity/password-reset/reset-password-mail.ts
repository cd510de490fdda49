import { config } from '@/lib/base/config/env'
import { composeMail } from '@/lib/base/mail/compose-mail'
import type { Mail } from '@/lib/base/mail/mail'

/** Carries the link by which a person who forgot the password sets another. */
export const resetPasswordMail = ({ name, url }: { name: string; url: string }): Mail =>
  composeMail({
    subject: `Set a new password for ${config().SERVICE_NAME}`,
    name,
    paragraphs: [
      'Somebody, most likely you, asked to set a new password for your account. The link works once, for an hour. Setting a new password signs you out everywhere.',
    ],
    actions: [{ label: 'Set a new password', url }],
    footer: 'If it was not you, ignore this mail; your password stays as it is.',
  })
