import { z } from 'zod'
import { shortText } from '@/lib/base/errors/input'
import { misleadingNameProblem, nameInput } from '@/lib/base/errors/names'
import { emailAddress } from '@/lib/base/mail/email-address'

/**
 * An app's public details in addition to its name and logo. A detail is null if it is not set or not valid.
 * See ADR 0010.
 */
export type AppProfile = {
  description: string | null
  website: string | null
  /** An email address, or the https URL of a support page. */
  support: string | null
  privacyUrl: string | null
  termsUrl: string | null
}

type Stored = { homepageUrl: string | null; metadata: unknown }

/**
 * Returns the profile from an app's row. Contacts and the privacy and terms URLs are stored under their names
 * from RFC 7591 section 2, as in the metadata of self-registered apps. Only the first contact is used. URLs
 * that do not use https, which self-registered apps can have, are replaced by null.
 */
export function profileOf({ homepageUrl, metadata }: Stored): AppProfile {
  const { description, contacts, policy_uri, tos_uri } = metadata as Record<string, unknown>
  const support = textOf(Array.isArray(contacts) ? contacts[0] : undefined)
  return {
    description: textOf(description),
    website: link(homepageUrl),
    support: support && (isEmail(support) ? support : link(support)),
    privacyUrl: link(policy_uri),
    termsUrl: link(tos_uri),
  }
}

/** Returns the link for a support contact. */
export const supportHref = (support: string): string => (isEmail(support) ? `mailto:${support}` : support)

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const isHttps = (value: string) => URL.parse(value)?.protocol === 'https:'

const link = (value: unknown): string | null => (typeof value === 'string' && isHttps(value) ? value : null)

const isEmail = (value: string): boolean => emailAddress.safeParse(value).success

/**
 * Returns the schema for a URL that users open. The server only displays the URL and never fetches it. The
 * URL is trimmed. An empty string means no URL.
 * @param current a URL that is accepted even if it is invalid
 */
const page = (current?: string | null) =>
  shortText(500).refine((value) => value === '' || value === current || (isHttps(value) && plain(value)), {
    message: 'Enter a URL that begins with https://, without a user name or spaces.',
  })

/**
 * Returns whether a URL shows its destination clearly. The URL must consist of printable ASCII characters
 * other than spaces. It must not contain a user name or password, because a user name or password can
 * resemble a host.
 */
const plain = (value: string): boolean => {
  const { username, password } = new URL(value)
  return username === '' && password === '' && /^[\x21-\x7e]+$/.test(value)
}

/**
 * Returns the schemas for the profile's fields. An empty text removes a value.
 * @param website the app's current website URL, which is accepted even if it is now invalid. Otherwise, the
 * URL would block changes to other settings in the same form.
 */
export const profileInput = (website?: string | null) => ({
  description: z
    .union([
      z.literal(''),
      nameInput('Describe the app.', 200).superRefine((text, context) => {
        const problem = misleadingNameProblem(text)
        if (problem) context.addIssue({ code: 'custom', message: problem })
      }),
    ])
    .optional(),
  homepageUrl: page(website)
    .transform((value) => value || null)
    .optional(),
  support: shortText(500)
    .refine((value) => value === '' || isEmail(value) || page().safeParse(value).success, {
      message: 'Enter an email address, or a URL that begins with https://.',
    })
    .optional(),
  privacyUrl: page().optional(),
  termsUrl: page().optional(),
})
