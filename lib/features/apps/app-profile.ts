import { z } from 'zod'
import { impersonationProblem, nameInput } from '@/lib/base/errors/names'
import { emailAddress } from '@/lib/base/mail/email-address'

/** How an app introduces itself beside its name and logo; what it does not say is null. See ADR 0013. */
export type AppProfile = {
  description: string | null
  website: string | null
  /** An email address, or the https address of a page. */
  support: string | null
  privacyUrl: string | null
  termsUrl: string | null
}

type Stored = { homepageUrl: string | null; metadata: unknown }

/**
 * What an app says of itself, from its row: addresses under the names of RFC 7591 section 2, so that the engine finds them where
 * it finds those of self-registered apps. A self-registered app's addresses that are no links are left out.
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

/** Where a browser goes for a support contact. */
export const supportHref = (support: string): string => (isEmail(support) ? `mailto:${support}` : support)

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const isHttps = (value: string) => URL.parse(value)?.protocol === 'https:'

const link = (value: unknown): string | null => (typeof value === 'string' && isHttps(value) ? value : null)

const isEmail = (value: string): boolean => emailAddress.safeParse(value).success

/** An address that people open: it is shown and never fetched. An empty text for none. */
const page = (current?: string | null) =>
  z
    .string()
    .trim()
    .max(500, 'Use at most 500 characters.')
    .refine((value) => value === '' || value === current || (isHttps(value) && plain(value)), {
      message: 'Enter a URL that begins with https://, without a user name or spaces.',
    })

/** An address that shows where it leads: no user name that looks like a host, nothing that nobody sees. */
const plain = (value: string): boolean => {
  const { username, password } = new URL(value)
  return username === '' && password === '' && /^[\x21-\x7e]+$/.test(value)
}

/**
 * What changes about the way an app introduces itself, each an empty text for none.
 * @param website the address it has: from before there was this rule, it does not stand in the way of other changes
 */
export const profileInput = (website?: string | null) => ({
  description: z
    .union([
      z.literal(''),
      nameInput('Describe the app.', 200).superRefine((text, context) => {
        const problem = impersonationProblem(text)
        if (problem) context.addIssue({ code: 'custom', message: problem })
      }),
    ])
    .optional(),
  homepageUrl: page(website)
    .transform((value) => value || null)
    .optional(),
  support: z
    .string()
    .trim()
    .refine((value) => value === '' || isEmail(value) || page().safeParse(value).success, {
      message: 'Enter an email address, or a URL that begins with https://.',
    })
    .optional(),
  privacyUrl: page().optional(),
  termsUrl: page().optional(),
})
