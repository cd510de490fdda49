import { config } from '@/lib/config/env'
import { composeMail } from '../compose-mail'
import type { Mail } from '../mail'

/** Asks a new person, or one who changed the address, to confirm that they read mail here. */
export const verifyEmailMail = ({ name, url }: { name: string; url: string }): Mail =>
  composeMail({
    subject: `Confirm your email address for ${config().SERVICE_NAME}`,
    name,
    paragraphs: [
      `Confirm that this is your email address at ${config().SERVICE_NAME}. The link works once, for 24 hours.`,
    ],
    action: { label: 'Confirm email address', url },
    footer: 'If you did not ask for this, ignore this mail; nothing changes.',
  })
