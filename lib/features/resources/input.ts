import { z } from 'zod'
import { config } from '@/lib/base/config/env'
import { oneOf, shortText } from '@/lib/base/errors/input'
import { nameInput, publicNameInput } from '@/lib/base/errors/names'
import { outboundUrlProblem } from '@/lib/base/outbound/check-url'
import { defaultSigningAlg, signingAlgs } from '@/lib/features/keys/signing-keys'
import { isScope, resourceOf } from '@/lib/policy/scopes'
import { scopeRows } from './scope-lines'

export const maxScopes = 50

const tokenFormats = ['OPAQUE', 'JWT'] as const

/**
 * The minimum, the maximum, and the default of a token's lifetime in seconds, by format. A revoked JWT works
 * until it expires, so the lifetime of a JWT is also the longest time that it works after its revocation.
 */
export const lifetimes = {
  OPAQUE: { least: 60, most: 3600, usual: 3600 },
  JWT: { least: 60, most: 900, usual: 300 },
} as const

/**
 * The standard scopes that Latchkey does not support (OpenID Connect Core section 5.4). An API cannot use
 * these names.
 */
const standardScopes = new Set(['address', 'phone'])

/** The pattern of scope names, such as `deployments:write`. RFC 6749 section 3.3 allows more characters. */
const scopeName = /^[a-z][a-z0-9_.-]*(:[a-z0-9_.-]+)*$/

/** Returns the reason why a name cannot be an API scope, or undefined if it is valid. */
function scopeNameProblem(name: string): string | undefined {
  if (name.length > 64) return `Use at most 64 characters in “${name.slice(0, 64)}…”.`
  if (!scopeName.test(name)) {
    return `“${name}” is not a scope name. Use lowercase letters, digits, and - _ . in parts separated by colons, such as deployments:write.`
  }
  if (isScope(name) || standardScopes.has(name) || resourceOf(`${name}:`) || resourceOf(name)) {
    return `“${name}” is reserved. Choose a name that begins with the name of your API, such as deployments:write.`
  }
  return undefined
}

/** Returns the reason why a text cannot be an API identifier, or undefined if it is valid. */
function identifierProblem(value: string): string | undefined {
  const url = URL.parse(value)
  if (url?.protocol !== 'https:' || url.hostname === '') {
    return 'Enter a URL that begins with https://, such as https://deployments.example.com.'
  }
  if (value.includes('#')) return 'Remove the fragment (#), which RFC 8707 does not allow.'
  if (url.username !== '' || url.password !== '') return 'Remove the username and the password.'
  if (!/^[\x21-\x7e]+$/.test(value)) return 'Use ASCII characters without spaces.'
  if (value.endsWith('/')) return 'Remove the slash at the end.'
  if (value !== url.href && `${value}/` !== url.href) return `Enter it as ${url.href.replace(/\/$/, '')}.`
  if (url.origin === new URL(config().BASE_URL).origin) {
    return 'This URL belongs to Latchkey. Enter the URL of your API.'
  }
  return undefined
}

const identifierInput = shortText(200)
  .min(1, 'Enter the URL of the API.')
  .superRefine((value, context) => {
    const problem = identifierProblem(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

const sensitivities = ['LOW', 'ELEVATED', 'HIGH'] as const
const selections = ['WORKSPACES', 'PROJECTS', 'NOTHING'] as const

const scopeInput = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter the name of each scope.')
    .superRefine((value, context) => {
      const problem = value === '' ? undefined : scopeNameProblem(value)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    }),
  description: nameInput('Enter the sentence that users see for each scope.', 200),
  sensitivity: z.enum(sensitivities, oneOf(sensitivities)).default('LOW'),
  selects: z.enum(selections, oneOf(selections)).default('NOTHING'),
})

const scopesInput = z
  .array(scopeInput)
  .min(1, 'Add at least one scope.')
  .max(maxScopes, `Use at most ${maxScopes} scopes.`)
  .superRefine((scopes, context) => {
    const names = scopes.map(({ name }) => name)
    const index = names.findIndex((name, at) => names.indexOf(name) !== at)
    if (index === -1) return
    context.addIssue({ code: 'custom', path: [index, 'name'], message: `“${names[index]}” is listed twice.` })
  })

const apiName = (current?: string) => publicNameInput('Enter the name that users see.', current)

const lifetimeInput = z.coerce
  .number('Enter a number of seconds.')
  .int('Enter a whole number of seconds.')
  .optional()

/**
 * The URL to which this server sends the API's events. An empty text becomes null, and then no events are
 * sent.
 */
const eventsUrlInput = shortText(2000)
  .superRefine((value, context) => {
    const problem = value === '' ? undefined : outboundUrlProblem(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
  .transform((value) => value || null)

/** Returns an error message if a lifetime is invalid for a token format, or undefined if it is valid. */
export function lifetimeProblem(format: 'OPAQUE' | 'JWT', seconds: number): string | undefined {
  const { least, most } = lifetimes[format]
  if (seconds >= least && seconds <= most) return undefined
  return `Enter ${least} to ${most} seconds${format === 'JWT' ? ' for JWTs, which work until they expire' : ''}.`
}

const settings = {
  tokenFormat: z.enum(tokenFormats, oneOf(tokenFormats)),
  /**
   * If a user leaves the field empty, the form sends an empty string, which has the same effect as an omitted
   * lifetime.
   */
  tokenLifetime: z.preprocess((value) => (value === '' ? undefined : (value ?? undefined)), lifetimeInput),
  signingAlgorithm: z.enum(signingAlgs, oneOf(signingAlgs)),
  eventsUrl: eventsUrlInput,
}

/** The input for a new API. Only `identifier`, `name`, and `scopes` are required. */
export const registerApiInput = z
  .object({
    identifier: identifierInput,
    name: apiName(),
    tokenFormat: settings.tokenFormat.default('OPAQUE'),
    tokenLifetime: settings.tokenLifetime,
    signingAlgorithm: settings.signingAlgorithm.default(defaultSigningAlg),
    eventsUrl: settings.eventsUrl.default(null),
    scopes: scopesInput,
  })
  .transform((input, context) => {
    const tokenLifetime = input.tokenLifetime ?? lifetimes[input.tokenFormat].usual
    const problem = lifetimeProblem(input.tokenFormat, tokenLifetime)
    if (problem) context.addIssue({ code: 'custom', path: ['tokenLifetime'], message: problem })
    return { ...input, tokenLifetime }
  })

/** The validated values of an API. */
export type ApiInput = z.output<typeof registerApiInput>

/**
 * Returns the schema of the changes to an API. Omitted settings are unchanged, except the lifetime if the
 * token format changes. `scopes` replaces the whole list. The identifier cannot be changed, because the API
 * checks that each token has this identifier as its audience.
 * @param current the API as stored; its name is accepted even if the current rules would reject it as a new
 * name
 */
export const updateApiInput = (current: { name: string }) =>
  z.object({
    name: apiName(current.name).optional(),
    tokenFormat: settings.tokenFormat.optional(),
    tokenLifetime: settings.tokenLifetime,
    signingAlgorithm: settings.signingAlgorithm.optional(),
    eventsUrl: settings.eventsUrl.optional(),
    scopes: scopesInput.optional(),
  })

/**
 * Converts the fields of a console form (components/apis/api-form.tsx) to the input for an API, without
 * `identifier`.
 */
export const apiOfForm = ({
  name,
  format,
  lifetime,
  algorithm,
  eventsUrl,
  scopes = '',
}: Record<string, string>) => ({
  name,
  tokenFormat: format,
  tokenLifetime: lifetime,
  signingAlgorithm: algorithm,
  eventsUrl,
  scopes: scopeRows(scopes),
})
