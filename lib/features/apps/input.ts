import { z } from 'zod'
import { oneOf } from '@/lib/base/errors/input'
import { publicNameInput } from '@/lib/base/errors/names'
import { outboundUrlProblem } from '@/lib/base/outbound/check-url'
import { defaultSigningAlg, signingAlgs } from '@/lib/features/keys/signing-keys'
import type { AppType } from '@/lib/generated/prisma/enums'
import { allScopes, type Scope, withIncluded } from '@/lib/policy/scopes'
import { profileInput } from './app-profile'
import { publicKeysInput } from './public-keys'
import { redirectUriProblems } from './redirect-uri'

/**
 * What an app may ask for, as a list or as text with one a line. It is kept with `openid` and with what other scopes include, and as
 * none where it is all there is, so that a scope of a later release is among it.
 * See ADR 0023.
 */
const allowedScopesInput = z
  .union([z.string().transform((text) => text.split(/\s+/)), z.array(z.string())])
  .transform((list) => [...new Set(list.filter(Boolean))])
  .pipe(z.array(z.enum(allScopes as [Scope, ...Scope[]], oneOf(allScopes))))
  .transform((list) => {
    const within = new Set(withIncluded(['openid', ...list]))
    return within.size === allScopes.length ? [] : allScopes.filter((scope) => within.has(scope))
  })

/** What an app may ask for, with all that it includes; null where it may ask for everything. */
export const allowedScopesOf = ({ allowedScopes }: { allowedScopes: string[] }): string[] | null =>
  allowedScopes.length > 0 ? allowedScopes : null

/** What an app can be installed with: whatever a member may do, and nothing of what takes an admin or a person. */
const installableScopes = [
  'workspace:member',
  'workspace:viewer',
  'project:member',
  'project:viewer',
] as const satisfies readonly Scope[]

/** A list of them, or text with one a line. */
export const installScopesInput = z
  .union([z.string().transform((text) => text.split(/\s+/)), z.array(z.string())])
  .transform((list) => [...new Set(list.filter(Boolean))])
  .pipe(z.array(z.enum(installableScopes, oneOf(installableScopes))))

const maxRedirectUris = 20

/** What an app's id_tokens are signed with. */
const idTokenAlg = z.enum(signingAlgs, { error: 'Choose one of the listed values.' })

const name = (current?: string) =>
  publicNameInput('Enter the name that users see on the consent page.', current)

/** Addresses as lines of text or as a list: trimmed, empty ones and repetitions dropped. */
const addresses = z
  .union([z.string().transform((text) => text.split(/\r?\n/)), z.array(z.string())])
  .transform((lines) => [...new Set(lines.map((line) => line.trim()).filter(Boolean))])

const redirectUris = addresses.pipe(
  z
    .array(z.string())
    .min(1, 'Enter at least one redirect URI.')
    .max(maxRedirectUris, `Enter at most ${maxRedirectUris} redirect URIs.`),
)

/** An address of the app's that is called from here; an empty text for none. */
const calledAddress = z
  .string()
  .trim()
  .superRefine((value, context) => {
    const problem = value === '' ? undefined : outboundUrlProblem(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

/** What few apps need, for new ones and for changes alike. */
const advanced = {
  inDevelopment: z.boolean().optional(),
  allowedScopes: allowedScopesInput.optional(),
  requirePushedAuthorization: z.boolean().optional(),
  backchannelLogoutUri: calledAddress.optional(),
  clientAuthentication: z
    .enum(['SECRET', 'PRIVATE_KEY'], { error: 'Choose one of the listed values.' })
    .optional(),
  publicKeys: publicKeysInput.optional(),
  requireSignedRequests: z.boolean().optional(),
  highSecurity: z.boolean().optional(),
  installScopes: installScopesInput.optional(),
}

/** The addresses that an app of this type cannot register, all of them as one issue of the field. */
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
 * A new OAuth app: `workspaceId`, `name`, `type`, `redirectUris` (a list, or text with one a line), `idTokenAlg`, how it
 * introduces itself, what it may ask for, and what few apps need.
 */
export const createAppInput = z
  .object({
    workspaceId: z.string(),
    name: name(),
    type: z.enum(['WEB', 'NATIVE'], { error: 'Choose Web or Native.' }),
    redirectUris,
    idTokenAlg: idTokenAlg.default(defaultSigningAlg),
    ...profileInput(),
    ...advanced,
  })
  .superRefine((input, context) => checkAddresses(input.type, 'redirectUris', input.redirectUris, context))

/**
 * What changes about an app; what is left out stays. The type never changes: clients out there are built for it.
 * @param before the app as it is
 */
export const updateAppInput = (before: { type: AppType; name: string; homepageUrl: string | null }) =>
  z
    .object({
      name: name(before.name).optional(),
      redirectUris: redirectUris.optional(),
      postLogoutRedirectUris: addresses
        .pipe(z.array(z.string()).max(maxRedirectUris, `Enter at most ${maxRedirectUris} addresses.`))
        .optional(),
      idTokenAlg: idTokenAlg.optional(),
      ...profileInput(before.homepageUrl),
      ...advanced,
    })
    .superRefine((input, context) => {
      checkAddresses(before.type, 'redirectUris', input.redirectUris, context)
      checkAddresses(before.type, 'postLogoutRedirectUris', input.postLogoutRedirectUris, context)
    })
