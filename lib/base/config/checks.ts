import { isIP } from 'node:net'
import { z } from 'zod'
import { isSource } from './is-source'

/** What the values of settings must look like; each answers what is wrong with one in words that follow its name. */

export const isOrigin = (url: URL) => url.pathname === '/' && url.search === '' && url.hash === ''

export const flag = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 1 or 0' })
  .transform((value) => value === '1' || value === 'true')

/** Text on one line, such as a name or an address. */
export const line = z.string().refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value), {
  error: 'must be one line without control characters',
})

/** Words that stand in examples and templates in place of a secret. */
const placeholders =
  /change[-_ ]?(me|this)|replace[-_ ]?(me|this)|your[-_ ]|secret|password|passphrase|example|default|insecure|placeholder|latchkey|test/gi

/** The shortest text that the whole value repeats. */
const repeatedPart = (value: string): string => {
  for (let length = 1; length <= value.length / 2; length++) {
    const part = value.slice(0, length)
    if (part.repeat(Math.ceil(value.length / length)).startsWith(value)) return part
  }
  return value
}

/** Whether most characters follow the one before in the alphabet, as in `abcdef` or `987654`. */
const isSequence = (value: string): boolean => {
  const codes = [...value].map((letter) => letter.codePointAt(0) as number)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] as number))
  return steps.filter((step) => Math.abs(step) === 1).length > steps.length / 2
}

/**
 * Whether a secret has too little entropy: few different characters, a repeated text, a sequence, or a placeholder from an
 * example. Random hexadecimal digits practically never match.
 * @param least characters that a secret of this kind must have
 */
const isGuessable = (value: string, least: number): boolean => {
  const part = repeatedPart(value.replace(placeholders, ''))
  return part.length < least / 3 || new Set(part).size < least / 4 || isSequence(part)
}

/** A generated secret. @param least characters @param advice what else to do about a weak one */
export const secret = (least: number, advice = '') =>
  z
    .string()
    .min(least, `must have at least ${least} characters; \`openssl rand -hex 32\` generates one`)
    .refine((value) => value.length < least || !isGuessable(value, least), {
      error: `is easy to guess; set it to the output of \`openssl rand -hex 32\`${advice}`,
    })

/** The address of a mailbox, without a name. */
export const mailbox = z.email('must be an email address, such as admin@example.com')

/** A sender of mail: an address, or a name and an address in angle brackets. */
export const sender = line.refine(
  (value) => mailbox.safeParse(/^[^<>]*<([^<>]+)>$/.exec(value.trim())?.[1] ?? value.trim()).success,
  { error: 'must be an email address, such as no-reply@example.com or "Example <no-reply@example.com>"' },
)

/** An address to listen on. */
export const listenAddress = z
  .string()
  .refine((value) => isIP(value) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value), {
    error: 'must be an IP address or a host name, such as 0.0.0.0 or ::',
  })

/** The address of an identity provider. */
export const issuer = z.url({
  protocol: /^https?$/,
  error: 'must be an http or https address, such as https://id.example.com',
})

/** One of several words. */
export const oneOf = <const Words extends readonly [string, string, ...string[]]>(...words: Words) =>
  z.enum(words, { error: `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}` })

/** Where a link leads: an http(s) address, or a path of this service; `//host` would be neither. */
export const link = z
  .string()
  .refine(
    (value) =>
      /^\/(?![/\\])[^\s\\]*$/.test(value) || (/^https?:\/\/[^/\s]/i.test(value) && URL.canParse(value)),
    { error: 'must be an http or https address, or a path such as /docs' },
  )

/** What the pages can show as the logo: their policy loads pictures from here and over https (content-security-policy.ts). */
export const picture = z
  .string()
  .refine(
    (value) =>
      /^\/(?![/\\])[^\s\\]*$/.test(value) ||
      (/^https:\/\/[^/\s]/i.test(value) && URL.canParse(value)) ||
      /^data:image\//i.test(value),
    { error: 'must be an https address, or a path such as /logo.svg' },
  )
  .refine((value) => !/^https:/i.test(value) || isSource(URL.parse(value)?.origin ?? ''), {
    error: 'must have a host of letters, digits, dots and hyphens alone',
  })

/** A whole number, with one sentence for everything that is none or out of range. */
export const whole = (least: number, most?: number) => {
  const error =
    most === undefined
      ? `must be a whole number from ${least}`
      : `must be a number between ${least} and ${most}`
  return z.coerce
    .number({ error })
    .int(error)
    .min(least, error)
    .max(most ?? Number.MAX_SAFE_INTEGER, error)
}

/** Names of hosts, separated by commas or line breaks; `*.example.com` stands for every host below that one. */
export const hosts = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter(Boolean))
  // Before letters are lowered: toLowerCase() turns a few characters outside ASCII into letters of it.
  .refine((names) => names.every((name) => /^(\*\.)?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(name)), {
    error: 'must be hosts such as app.example.com or *.example.com, separated by commas',
  })
  .transform((names) => names.map((name) => name.toLowerCase()))
