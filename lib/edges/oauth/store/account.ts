import type { Account, AccountClaims, KoaContextWithOIDC } from 'oidc-provider'
import { statement } from '@/lib/base/db/statements'
import { keepResults } from '@/lib/base/process/remember'
import { pictureAddress } from '@/lib/features/pictures/address'
import { allowedTo } from '@/lib/policy/app-status'
import { withIncluded, worthUnder } from '@/lib/policy/scopes'
import { resourceIdentifiers } from '../protocol/routes'
import { currentUnit } from './request-unit'
import { type AuthorizationRow, type PersonRow, personColumns } from './snapshot'

/** The claims each scope gives access to (OpenID Connect Core section 5.4), at /oauth/me and in every id_token. See ADR 0010. */
export const claims: Record<string, string[]> = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'picture'],
}

/** The names of the claims that scopes give access to, in the order of the scopes. */
const claimsOfScopes = (scopes: string[]): string[] => scopes.flatMap((scope) => claims[scope] ?? [])

/**
 * Returns the user behind a token or session, from the request's snapshot if it was read. At /oauth/me, in the id_token of a
 * sign-in, and in that of a refresh, the claims are those that the token's scopes allow, as far as the user still grants them and
 * with their current values. A claim that the `claims` parameter names (OpenID Connect Core section 5.5) requires its scope too,
 * because the consent page lists scopes.
 * @returns undefined for an unknown or suspended user, whose credentials are all invalid
 */
export async function findAccount(ctx: KoaContextWithOIDC, id: string): Promise<Account | undefined> {
  const known = currentUnit()?.snapshot?.person
  const person = known?.id === id ? known : await loadPerson(id)
  if (!person || person.suspended) return undefined
  return {
    accountId: person.id,
    async claims(_use, scope) {
      const granted = new Set(ctx.oidc.entities.Grant?.getOIDCScope().split(' '))
      const names = claimsOfScopes(scope.split(' ').filter((each) => granted.has(each)))
      return { ...pickClaims(person, names), sub: person.id }
    },
  }
}

/** What claims of these names say about a person, in their order. What is not known of the person is left out. */
export function pickClaims(person: PersonRow, names: string[]): Partial<AccountClaims> {
  const all = toClaims(person)
  return Object.fromEntries(names.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]))
}

/** Everything that a claim may say about a person. */
const toClaims = (person: PersonRow): AccountClaims => ({
  sub: person.id,
  email: person.email,
  email_verified: person.emailVerified,
  name: person.name,
  ...(person.avatarUrl ? { picture: pictureAddress(person.avatarUrl) } : {}),
})

/**
 * An authorization as the engine's grant. The grant's id is the authorization's; it has no end of its own, and whatever
 * scopes the person allowed, with those they include, hold for every resource of this service alike (RFC 8707). Claims
 * follow from the scopes.
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

/** What scopes come to; there are few sets of them. */
const grantOf = keepResults(1_000, (text: string) => {
  const scopes = text.split(' ')
  const scope = withIncluded(scopes).join(' ')
  return { scope, claims: claimsOfScopes(scopes) }
})

const readPerson = statement<PersonRow, [string]>('oauth-person', 'FROM users u WHERE u.id = $1::uuid', {
  connections: 'shared',
  json: personColumns,
})

/** A person by id, for requests that carry no credential yet. */
const loadPerson = async (id: string): Promise<PersonRow | undefined> => (await readPerson(id))[0]

const readAuthorization = statement<AuthorizationRow & { allowed: string[] }, [string]>(
  'oauth-authorization',
  `SELECT z.id, z.user_id AS "userId", z.client_id AS "clientId", z.scopes, z.sign_ins AS "signIns",
          COALESCE(c.allowed_scopes, '{}') AS allowed
     FROM authorizations z JOIN oauth_clients c ON c.id = z.client_id WHERE z.id = $1::uuid`,
  { connections: 'shared' },
)

/** An authorization by id. */
export async function loadAuthorization(id: string): Promise<AuthorizationRow | undefined> {
  const [found] = await readAuthorization(id)
  if (!found) return undefined
  const { allowed, ...row } = found
  return { ...row, scopes: worthUnder(row.scopes, allowedTo(row.clientId, allowed)) }
}
