import { config } from '@/lib/base/config/env'
import { composeMail } from '@/lib/base/mail/compose-mail'
import type { Mail } from '@/lib/base/mail/mail'

/**
 * Asks a new person, or one who changed the address, to confirm that they read mail here. It calls nobody by name: who signed
 * up with this address is not known yet.
 */
export const verifyEmailMail = ({ url }: { url: string }): Mail =>
  composeMail({
    subject: `Confirm your email address for ${config().SERVICE_NAME}`,
    paragraphs: [
      `Confirm that this is your email address at ${config().SERVICE_NAME}, while you are signed in there. The link works once, for 24 hours.`,
    ],
    actions: [{ label: 'Confirm email address', url }],
    footer:
      'If you did not ask for this, somebody else used your address. Ignore this mail; the address is not confirmed.',
  })
