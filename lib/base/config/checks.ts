import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/**
 * Validators for the values of settings. Each error message continues a sentence that starts with the
 * setting's name.
 */

/**
 * An error in the settings or RESOURCES_FILE, such as a missing or invalid value. The message is for the
 * instance admin.
 */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export const isOrigin = (url: URL) => url.pathname === '/' && url.search === '' && url.hash === ''

export const flag = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 1 or 0' })
  .transform((value) => value === '1' || value === 'true')

/** Text on one line, such as a name or a file path. */
export const line = z.string().refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value), {
  error: 'must be one line without control characters',
})

/** Words that examples and templates contain in place of a secret. */
const placeholders =
  /change[-_ ]?(me|this)|replace[-_ ]?(me|this)|your[-_ ]|secret|password|passphrase|example|default|insecure|placeholder|latchkey|test/gi

/**
 * Returns the shortest text whose repetition produces the value. The last repetition can be incomplete.
 * Returns the value itself if no text that is at most half as long produces the value.
 */
const repeatedPart = (value: string): string => {
  for (let length = 1; length <= value.length / 2; length++) {
    const part = value.slice(0, length)
    if (part.repeat(Math.ceil(value.length / length)).startsWith(value)) return part
  }
  return value
}

/** Returns whether the code points of most neighboring characters differ by 1, as in `abcdef` or `987654`. */
const isSequence = (value: string): boolean => {
  const codes = [...value].map((letter) => letter.codePointAt(0) as number)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] as number))
  return steps.filter((step) => Math.abs(step) === 1).length > steps.length / 2
}

/**
 * Returns whether a secret has too little entropy. Without placeholders and repetitions, such a secret is
 * short, has few different characters, or is a sequence. Returns false for almost every secret of random
 * hexadecimal digits.
 * @param least the minimum length of the secret
 */
const isGuessable = (value: string, least: number): boolean => {
  const part = repeatedPart(value.replace(placeholders, ''))
  return part.length < least / 3 || new Set(part).size < least / 4 || isSequence(part)
}

/**
 * Returns a validator for a generated secret.
 * @param least the minimum length
 * @param advice text that is appended to the error message for a weak secret
 */
export const secret = (least: number, advice = '') =>
  z
    .string()
    .min(least, `must have at least ${least} characters; \`openssl rand -hex 32\` generates one`)
    .refine((value) => value.length < least || !isGuessable(value, least), {
      error: `is easy to guess; set it to the output of \`openssl rand -hex 32\`${advice}`,
    })

/** An email address without a name. */
export const mailbox = z.email('must be an email address, such as admin@example.com')

/** A sender of emails: an email address, or a name followed by an email address in angle brackets. */
export const sender = line.refine(
  (value) => mailbox.safeParse(/^[^<>]*<([^<>]+)>$/.exec(value.trim())?.[1] ?? value.trim()).success,
  { error: 'must be an email address, such as no-reply@example.com or "Example <no-reply@example.com>"' },
)

/** An IP address or host name to listen on. */
export const listenAddress = z
  .string()
  .refine((value) => isIP(value) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value), {
    error: 'must be an IP address or a host name, such as 0.0.0.0 or ::',
  })

/**
 * A port, optionally with the local IP address or host name to listen on: `9464`, `0.0.0.0:9464`, or
 * `[::]:9464`. Without an address, the result contains 127.0.0.1.
 */
export const metricsAddress = z
  .string()
  .transform((value) => /^(?:(.*):)?(\d+)$/.exec(value.trim()))
  .refine(
    (parts) => parts !== null && integer(1, 65535).safeParse(parts[2]).success && isListenable(parts[1]),
    {
      error: 'must be a port, or an address and a port, such as 9464 or 0.0.0.0:9464',
    },
  )
  .transform((parts) => ({ port: Number(parts?.[2]), host: unbracketed(parts?.[1] ?? '127.0.0.1') }))

const unbracketed = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

const isListenable = (host: string | undefined) =>
  host === undefined || listenAddress.safeParse(unbracketed(host)).success

/** The issuer URL of an identity provider. */
export const issuer = z.url({
  protocol: /^https?$/,
  error: 'must be an http or https address, such as https://id.example.com',
})

/** Returns a validator that accepts only the listed values. */
export const oneOf = <const Words extends readonly [string, string, ...string[]]>(...words: Words) =>
  z.enum(words, { error: `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}` })

/** A link target: an http(s) URL or a path on this instance. `//host` is rejected. */
export const link = z
  .string()
  .refine(
    (value) =>
      /^\/(?![/\\])[^\s\\]*$/.test(value) || (/^https?:\/\/[^/\s]/i.test(value) && URL.canParse(value)),
    { error: 'must be an http or https address, or a path such as /docs' },
  )

/**
 * A logo: a path on this instance, an https URL, or a data URL of an image. The Content-Security-Policy
 * allows logos from these sources (content-security-policy.ts). A URL's host can therefore contain only
 * characters valid in the policy.
 */
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
    error: 'must have a host of letters, digits, dots, and hyphens only',
  })

/**
 * Returns a validator that converts text to an integer in [least, most]. Without `most`, the maximum is the
 * largest safe integer. The error message is the same for numbers out of range and for text that is not a
 * number.
 */
export const integer = (least: number, most?: number) => {
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

/**
 * Host names, separated by commas or whitespace. They are converted to lowercase. `*.example.com` matches
 * every host below `example.com`.
 */
export const hosts = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter(Boolean))
  // Check this before lowercasing, because toLowerCase() turns a few non-ASCII characters into ASCII letters.
  .refine((names) => names.every((name) => /^(\*\.)?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(name)), {
    error: 'must be hosts such as app.example.com or *.example.com, separated by commas',
  })
  .transform((names) => names.map((name) => name.toLowerCase()))

/**
 * Returns whether an origin can appear unescaped in a Content-Security-Policy. A URL's host can contain
 * characters such as `;` and `,`, which would end a directive or the policy.
 */
export const isSource = (origin: string): boolean =>
  /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d+)?$/.test(origin)

const parts = (value: string): string[] => value.split(',').map((each) => each.trim())

/** Networks in CIDR notation, separated by commas. */
export const networks = z
  .string()
  .transform(parts)
  .refine((all) => all.every((each) => ipaddr.isValidCIDR(each)), {
    error: 'must be networks such as 10.0.0.0/8, separated by commas',
  })

const isAddressOrRange = (entry: string): boolean =>
  entry.includes('/') ? ipaddr.isValidCIDR(entry) : ipaddr.isValid(entry)

/**
 * The number of proxies in front of the server (1 to 9), or their IP addresses or ranges, separated by
 * commas. `true` means one proxy.
 */
export const proxies = z
  .string()
  .refine((value) => /^([1-9]|true)$/.test(value) || parts(value).every(isAddressOrRange), {
    error:
      'must be the number of proxies in front of the server (1 to 9), or addresses and ranges such as 10.0.0.0/8, separated by commas',
  })

type Env = Record<string, string | undefined>

/** Returns whether this process is a serverless function, which is frozen between requests. See ADR 0037. */
export const onFunctions = (env: Env = process.env): boolean => (env.VERCEL ?? '') !== ''

/**
 * Returns the default settings if this process runs on Vercel, the only supported serverless platform.
 * Otherwise, returns an empty object. The settings are:
 * - A small connection pool, because each copy of the function opens its own connections.
 * - One trusted proxy, because Vercel replaces X-Forwarded-For with the client's IP address.
 * - The deployment's URL or, in production, the project's URL, if Vercel provides it.
 */
export function functionDefaults(env: Env): Env {
  if (!onFunctions(env)) return {}
  const host = env.VERCEL_ENV === 'production' ? env.VERCEL_PROJECT_PRODUCTION_URL : env.VERCEL_URL
  return {
    DATABASE_POOL: '4',
    TRUST_PROXY: '1',
    ...(host ? { BASE_URL: `https://${host}` } : {}),
  }
}

/** All built-in scopes. lib/policy/scopes.ts describes them. */
export const scopeNames = [
  'openid',
  'email',
  'profile',
  'offline_access',
  'workspace:admin',
  'workspace:member',
  'workspace:viewer',
  'project:admin',
  'project:member',
  'project:viewer',
  'notifications',
  'ssh_keys',
] as const

/**
 * The format of scopes of registered APIs, such as `deployments:write`. Only the format is checked, because
 * the registered APIs are in the database, which is not available yet when the settings are read.
 */
const scopeOfApi = /^(?!workspace:|project:)[a-z][a-z0-9_.-]*(:[a-z0-9_.-]+)+$/

/**
 * Scopes, including those of registered APIs, separated by commas or whitespace. If any scopes are listed,
 * the result also includes `openid`, which sign-in requires.
 */
export const registeredScopes = z
  .string()
  .transform((list) => list.split(/[\s,]+/).filter(Boolean))
  .pipe(
    z.array(
      z.string().refine((name) => (scopeNames as readonly string[]).includes(name) || scopeOfApi.test(name), {
        error: `must list some of ${scopeNames.join(', ')}, or scopes of APIs such as deployments:write`,
      }),
    ),
  )
  .transform((names): string[] => (names.length > 0 ? [...new Set(['openid', ...names])] : []))

/** The sensitive actions that can require approval. lib/policy/approvals describes them. */
const names = [
  'project:delete',
  'project:transfer',
  'project:read-values',
  'project:write-variables',
  'workspace:manage-members',
  'workspace:manage-apps',
  'workspace:manage-secrets',
  'workspace:manage-webhooks',
  'workspace:manage-tokens',
  'workspace:restore-projects',
  'workspace:update',
  'workspace:delete',
  'account:manage-ssh-keys',
] as const

/** A list of sensitive actions, separated by commas. `all` stands for every sensitive action. */
export const sensitiveActionList = z
  .string()
  .transform((list) => {
    const listed = list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
    return listed.length === 1 && listed[0] === 'all' ? [...names] : listed
  })
  .pipe(z.array(z.enum(names, { error: `must be all, or list some of ${names.join(', ')}` })))

/**
 * Returns a validator for text shown to users, with at most `most` characters. The text can contain line
 * breaks, but no other control or format characters. CRLF is converted to LF.
 */
export const text = (most: number) =>
  z
    .string()
    .transform((value) => value.replaceAll('\r\n', '\n'))
    .refine((value) => value.length <= most, { error: `must have at most ${most} characters` })
    .refine((value) => !/[^\P{C}\n]/u.test(value), { error: 'must contain visible characters' })
