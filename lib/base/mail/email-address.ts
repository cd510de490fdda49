import { z } from 'zod'

/**
 * Rules that validate and compare email addresses and domains. Email addresses and domains must be ASCII (RFC
 * 5321 section 4.1.2), so an internationalized domain must be written in its `xn--` form (RFC 5890 section
 * 2.3.2.1).
 *
 * Only A to Z are converted to lowercase. `toLowerCase()` also maps a few non-ASCII characters to ASCII, such
 * as KELVIN SIGN (U+212A) to `k`. With `toLowerCase()`, an address with such a character could therefore
 * match another user's account. A test fails if other code uses `toLowerCase()` for email addresses.
 */

/** A domain label (RFC 1035 section 2.3.4): up to 63 letters, digits, and inner hyphens. */
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

/**
 * A domain: at least two labels. The last label has at least two characters and starts with a letter, so that
 * an IPv4 address is not accepted as a domain.
 */
const domain = `(?:${label}\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]`

/**
 * The local part of an email address: a dot-atom (RFC 5322 section 3.2.3) that contains only letters, digits,
 * and the characters `_`, `'`, `+`, and `-`. Quoted strings, comments, and source routes are not allowed.
 */
const localPart = "[a-z0-9_'+-]+(?:\\.[a-z0-9_'+-]+)*"

const longestAddress = 254
const longestLocalPart = 64
const longestDomain = 200

const addressForm = new RegExp(`^${localPart}@${domain}$`)
const domainForm = new RegExp(`^${domain}$`)
const outsideAscii = /[^\p{ASCII}]/u

/** Converts A to Z to lowercase and leaves every other character unchanged (RFC 4343 section 3). */
export const lowerAscii = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

const beyondAscii =
  'Use only unaccented letters, digits, and symbols. Write an international domain in its xn-- form.'

const inAscii = z
  .string()
  .trim()
  .refine((text) => !outsideAscii.test(text), { error: beyondAscii, abort: true })
  .transform(lowerAscii)

/**
 * An input schema that trims and validates an email address and converts it to lowercase, the form in which
 * email addresses are stored and compared.
 */
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

/** An input schema that trims and validates a domain and converts it to lowercase. */
export const domainName = inAscii.pipe(
  z
    .string()
    .refine(
      (text) => text.length <= longestDomain && domainForm.test(text),
      'Enter a domain such as example.com.',
    ),
)

/**
 * Trims an email address that a user entered and converts it to lowercase, so that it can be compared with
 * stored email addresses. Does not validate the text, because text that is not an email address does not
 * match any account.
 */
export const asStoredAddress = (typed: string): string => lowerAscii(typed.trim())

/**
 * Returns an email address's domain, which is the text after the last `@`, in lowercase. Returns undefined if
 * the text has no `@` after its first character.
 */
export function domainOf(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  return at > 0 ? lowerAscii(address.slice(at + 1)) : undefined
}
