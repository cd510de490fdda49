import { z } from 'zod'

/**
 * The one place that decides what an email address or a mail domain is, and when two are the same. Both are ASCII
 * (RFC 5321 section 4.1.2); an internationalized domain is written in its `xn--` form (RFC 5890 section 2.3.2.1).
 *
 * Case is folded for A to Z only. `toLowerCase()` maps KELVIN SIGN (U+212A) to `k` and a few other characters into ASCII,
 * so that an address without an owner would become the address of an account. A test rejects it for addresses everywhere else.
 */

/** RFC 1035 section 2.3.4: at most 63 letters, digits, and inner hyphens. */
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

/** At least two labels. The last one does not start with a digit, so an IPv4 address is no domain. */
const domain = `(?:${label}\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]`

/** A dot-atom (RFC 5322 section 3.2.3) of the characters that mailboxes use; no quotes, comments, or source routes. */
const localPart = "[a-z0-9_'+-]+(?:\\.[a-z0-9_'+-]+)*"

const longestAddress = 254
const longestLocalPart = 64
const longestDomain = 200

const addressForm = new RegExp(`^${localPart}@${domain}$`)
const domainForm = new RegExp(`^${domain}$`)
const outsideAscii = /[^\p{ASCII}]/u

/** Returns a text with A to Z in lower case and every other character unchanged (RFC 4343 section 3). */
export const lowerAscii = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

const beyondAscii =
  'Use only unaccented letters, digits, and symbols. Write an international domain in its xn-- form.'

const inAscii = z
  .string()
  .trim()
  .refine((text) => !outsideAscii.test(text), { error: beyondAscii, abort: true })
  .transform(lowerAscii)

/** Validates an email address and returns it in lower case: the form in which addresses are stored and compared. */
export const emailAddress = z
  .string()
  .trim()
  .max(longestAddress, `Use an email address of at most ${longestAddress} characters.`)
  .pipe(inAscii)
  .pipe(
    z
      .string()
      .refine(
        (text) => addressForm.test(text) && text.indexOf('@') <= longestLocalPart,
        'Enter an email address such as ada@example.com.',
      ),
  )

/** Validates a domain that a user types and returns it in lower case. */
export const domainName = inAscii.pipe(
  z
    .string()
    .refine(
      (text) => text.length <= longestDomain && domainForm.test(text),
      'Enter a domain such as example.com.',
    ),
)

/**
 * Returns what a user typed where an account is looked up, in the form in which addresses are stored. It matches no account
 * if it is no address.
 */
export const asStoredAddress = (typed: string): string => lowerAscii(typed.trim())

/** Returns the domain of an address, in lower case; undefined for a text without one. */
export function domainOf(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  return at > 0 ? lowerAscii(address.slice(at + 1)) : undefined
}
