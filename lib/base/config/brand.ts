import { z } from 'zod'
import { link, picture } from './checks'

/** A text that people read; lines may break in it, and nothing is in it that nobody sees. */
const text = (most: number) =>
  z
    .string()
    .transform((value) => value.replaceAll('\r\n', '\n'))
    .refine((value) => value.length <= most, { error: `must have at most ${most} characters` })
    .refine((value) => !/[^\P{C}\n]/u.test(value), { error: 'must hold letters that can be seen' })

/** How the service looks and speaks: on its pages, and in its mails. */
export const brandSettings = {
  SERVICE_NAME: z.string().max(60, 'must have at most 60 characters').default('Latchkey'),
  ACCENT_COLOR: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #4f46e5')
    .default('#4f46e5'),
  LOGO_URL: picture.optional(),
  /** The logo where the page is dark; the same where it is not said. */
  LOGO_DARK_URL: picture.optional(),
  /** Shown below login, consent and device cards. */
  HELP_URL: link.optional(),
  TERMS_URL: link.optional(),
  PRIVACY_URL: link.optional(),
  /** What the first mails to somebody say besides: the one that confirms an address, and an invitation. */
  MAIL_WELCOME: text(600).optional(),
  /** What stands below every mail: who sends it, and from where. */
  MAIL_FOOTER: text(600).optional(),
}
