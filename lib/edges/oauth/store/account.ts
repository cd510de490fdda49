import type { Account, AccountClaims, KoaContextWithOIDC } from 'oidc-provider'
import { statement } from '@/lib/base/db/statements'
import { cacheResults } from '@/lib/base/process/remember'
import { pictureAddress } from '@/lib/features/pictures/address'
import { allowedTo } from '@/lib/policy/app-status'
import { limitScopes, withIncluded } from '@/lib/policy/scopes'
import { resourceIdentifiers } from '../protocol/routes'
import { currentUnit } from './request-unit'
import { type AuthorizationRow, type UserRow, userColumns } from './snapshot'

/**
 * The claims of each scope (OpenID Connect Core section 5.4), at /oauth/me and in every ID token. See
 * ADR 0008.
 */
export const claims: Record<string, string[]> = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'picture'],
}

/** Returns the names of all claims of the scopes, in the order of the scopes. */
const claimsOfScopes = (scopes: string[]): string[] => scopes.flatMap((scope) => claims[scope] ?? [])

/**
 * Returns the user of a token or session, from the request's snapshot if it contains this user. The claims
 * are current at /oauth/me and in the ID tokens of sign-ins and refreshes. Except for `sub`, they include
 * only claims whose scope the token has and the user still grants. A claim named in the `claims` parameter
 * (OpenID Connect Core section 5.5) requires its scope too, because users consent to the scopes on the
 * consent page and not to single claims.
 * @returns undefined for an unknown or suspended user, whose credentials are all invalid
 */
export async function findAccount(ctx: KoaContextWithOIDC, id: string): Promise<Account | undefined> {
  const known = currentUnit()?.snapshot?.user
  const user = known?.id === id ? known : await loadUser(id)
  if (!user || user.suspended) return undefined
  return {
    accountId: user.id,
    async claims(_use, scope) {
      const granted = new Set(ctx.oidc.entities.Grant?.getOIDCScope().split(' '))
      const names = claimsOfScopes(scope.split(' ').filter((each) => granted.has(each)))
      return { ...pickClaims(user, names), sub: user.id }
    },
  }
}

/**
 * Returns the user's claims with the given names, in the order of the names. Omits claims without a value.
 */
export function pickClaims(user: UserRow, names: string[]): Partial<AccountClaims> {
  const all = toClaims(user)
  return Object.fromEntries(names.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]))
}

/** Returns all claims of a user. Omits `picture` if the user has no picture. */
const toClaims = (user: UserRow): AccountClaims => ({
  sub: user.id,
  email: user.email,
  email_verified: user.emailVerified,
  name: user.name,
  ...(user.avatarUrl ? { picture: pictureAddress(user.avatarUrl) } : {}),
})

/**
 * Returns an authorization as a grant of oidc-provider, with the same ID and no expiry. The granted scopes,
 * and the scopes that they include, apply to every resource of this service (RFC 8707). The claims are
 * derived from the scopes.
 */
export function toGrantPayload(row: AuthorizationRow): Record<string, unknown> {
  const { scope, claims } = grantOf(row.scopes.join(' '))
  return {
    jti: row.id,
    kind: 'Grant',
    accountId: row.userId,
    clientId: row.clientId,
    openid: { scope, claims: [...claims] },
    resources: Object.fromEntries(resourceIdentifiers().map((resource) => [resource, scope])),
  }
}

/**
 * Returns a scope set with the scopes that it includes, and the claims of the scope set. The results are
 * cached, because the same few scope sets are used again and again.
 */
const grantOf = cacheResults(1_000, (text: string) => {
  const scopes = text.split(' ')
  const scope = withIncluded(scopes).join(' ')
  return { scope, claims: claimsOfScopes(scopes) }
})

const readUser = statement<UserRow, [string]>('oauth-user', 'FROM users u WHERE u.id = $1::uuid', {
  connections: 'shared',
  json: userColumns,
})

/** Loads a user by ID, for requests whose snapshot does not contain the user. */
const loadUser = async (id: string): Promise<UserRow | undefined> => (await readUser(id))[0]

const readAuthorization = statement<AuthorizationRow & { allowed: string[] }, [string]>(
  'oauth-authorization',
  `SELECT z.id, z.user_id AS "userId", z.client_id AS "clientId", z.scopes, z.sign_ins AS "signIns",
          COALESCE(c.allowed_scopes, '{}') AS allowed
     FROM authorizations z JOIN oauth_clients c ON c.id = z.client_id WHERE z.id = $1::uuid`,
  { connections: 'shared' },
)

/** Loads an authorization by ID. Limits its scopes to those that the app is currently allowed to request. */
export async function loadAuthorization(id: string): Promise<AuthorizationRow | undefined> {
  const [found] = await readAuthorization(id)
  if (!found) return undefined
  const { allowed, ...row } = found
  return { ...row, scopes: limitScopes(row.scopes, allowedTo(row.clientId, allowed)) }
}
