import { z } from 'zod'
import { oneOf, shortText } from '@/lib/base/errors/input'
import { publicNameInput } from '@/lib/base/errors/names'
import { outboundUrlProblem } from '@/lib/base/outbound/check-url'
import { defaultSigningAlg, signingAlgs } from '@/lib/features/keys/signing-keys'
import type { AppType } from '@/lib/generated/prisma/enums'
import { allScopes, type Scope, withIncluded } from '@/lib/policy/scopes'
import { profileInput } from './app-profile'
import { publicKeysInput } from './public-keys'
import { redirectUriProblems } from './redirect-uri'

/**
 * Returns the schema for the scopes that an app can request: a list, or text with scopes separated by spaces
 * or line breaks. The schema adds `openid` and all scopes that the listed scopes include. If the result
 * contains all scopes, the schema returns an empty list instead. The app can then also request scopes that
 * are added later.
 * @param ofApis the scopes of registered APIs
 */
function allowedScopesInput(ofApis: readonly string[]) {
  const all = [...allScopes, ...ofApis] as [string, ...string[]]
  return z
    .union([z.string().transform((text) => text.split(/\s+/)), z.array(z.string())])
    .transform((list) => [...new Set(list.filter(Boolean))])
    .pipe(z.array(z.enum(all, oneOf(all))))
    .transform((list) => {
      const within = new Set<string>(withIncluded(['openid', ...list]))
      return within.size === all.length ? [] : all.filter((scope) => within.has(scope))
    })
}

/**
 * Returns the scopes that an app can request and the scopes that they include, or null if the app can request
 * all scopes.
 */
export const allowedScopesOf = ({ allowedScopes }: { allowedScopes: string[] }): string[] | null =>
  allowedScopes.length > 0 ? allowedScopes : null

/**
 * The scopes that an installation can have. They cover everything that a member can do, but no actions that
 * require the ADMIN role or a user account.
 */
const installableScopes = [
  'workspace:member',
  'workspace:viewer',
  'project:member',
  'project:viewer',
] as const satisfies readonly Scope[]

/**
 * The schema for an installation's scopes: a list, or text with scopes separated by spaces or line breaks.
 * Duplicates are removed.
 */
export const installScopesInput = z
  .union([z.string().transform((text) => text.split(/\s+/)), z.array(z.string())])
  .transform((list) => [...new Set(list.filter(Boolean))])
  .pipe(z.array(z.enum(installableScopes, oneOf(installableScopes))))

const maxRedirectUris = 20

/** The schema for the signing algorithm of an app's ID tokens. */
const idTokenAlg = z.enum(signingAlgs, { error: 'Choose one of the listed values.' })

const name = (current?: string) =>
  publicNameInput('Enter the name that users see on the consent page.', current)

/**
 * The schema for URLs: a list, or text with one URL per line. URLs are trimmed, and empty values and
 * duplicates are removed.
 */
const addresses = z
  .union([z.string().transform((text) => text.split(/\r?\n/)), z.array(z.string())])
  .transform((lines) => [...new Set(lines.map((line) => line.trim()).filter(Boolean))])

const redirectUris = addresses.pipe(
  z
    .array(z.string())
    .min(1, 'Enter at least one redirect URI.')
    .max(maxRedirectUris, `Enter up to ${maxRedirectUris} redirect URIs.`),
)

/** The schema for one of an app's URLs that this server calls. An empty string means no URL. */
const calledAddress = shortText(2000).superRefine((value, context) => {
  const problem = value === '' ? undefined : outboundUrlProblem(value)
  if (problem) context.addIssue({ code: 'custom', message: problem })
})

/** Returns the schemas for the advanced settings of new and existing apps. */
const advanced = (ofApis: readonly string[]) => ({
  inDevelopment: z.boolean().optional(),
  allowedScopes: allowedScopesInput(ofApis).optional(),
  requirePushedAuthorization: z.boolean().optional(),
  backchannelLogoutUri: calledAddress.optional(),
  clientAuthentication: z
    .enum(['SECRET', 'PRIVATE_KEY'], { error: 'Choose one of the listed values.' })
    .optional(),
  publicKeys: publicKeysInput.optional(),
  requireSignedRequests: z.boolean().optional(),
  highSecurity: z.boolean().optional(),
  installScopes: installScopesInput.optional(),
})

/**
 * Adds one issue that lists all URLs that an app of this type cannot register. Adds no issue if there are no
 * such URLs.
 */
function checkAddresses(
  type: AppType,
  field: string,
  uris: string[] | undefined,
  context: z.RefinementCtx,
): void {
  const problems = redirectUriProblems(uris ?? [], type)
  if (problems.length > 0) context.addIssue({ code: 'custom', path: [field], message: problems.join('\n') })
}

/**
 * Returns the schema for a new OAuth app: `workspaceId`, `name`, `type`, `redirectUris` (a list, or text with
 * one URI per line), `idTokenAlg`, the profile, and the advanced settings, which include the scopes.
 * @param ofApis the scopes of registered APIs
 */
export const createAppInput = (ofApis: readonly string[]) =>
  z
    .object({
      workspaceId: z.string(),
      name: name(),
      type: z.enum(['WEB', 'NATIVE'], { error: 'Choose Web or Native.' }),
      redirectUris,
      idTokenAlg: idTokenAlg.default(defaultSigningAlg),
      ...profileInput(),
      ...advanced(ofApis),
    })
    .superRefine((input, context) => checkAddresses(input.type, 'redirectUris', input.redirectUris, context))

/**
 * Returns the schema for changes to an app. Omitted settings remain unchanged. The type cannot change,
 * because deployed clients depend on it.
 * @param before the current app. Its name and website are accepted even if they would be rejected for a new
 * app.
 * @param ofApis the scopes of registered APIs
 */
export const updateAppInput = (
  before: { type: AppType; name: string; homepageUrl: string | null },
  ofApis: readonly string[] = [],
) =>
  z
    .object({
      name: name(before.name).optional(),
      redirectUris: redirectUris.optional(),
      postLogoutRedirectUris: addresses
        .pipe(z.array(z.string()).max(maxRedirectUris, `Enter up to ${maxRedirectUris} URIs.`))
        .optional(),
      idTokenAlg: idTokenAlg.optional(),
      ...profileInput(before.homepageUrl),
      ...advanced(ofApis),
    })
    .superRefine((input, context) => {
      checkAddresses(before.type, 'redirectUris', input.redirectUris, context)
      checkAddresses(before.type, 'postLogoutRedirectUris', input.postLogoutRedirectUris, context)
    })
