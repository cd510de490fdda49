import type { Account, AccountClaims, KoaContextWithOIDC } from 'oidc-provider'
import { pictureAddress } from '@/lib/features/pictures/address'
import { loadPerson } from './read-by-id'
import { currentUnit } from './request-unit'
import type { PersonRow } from './snapshot'

/** The claims each scope gives access to (OpenID Connect Core section 5.4), at /oauth/me and in every id_token. See decision 083. */
export const claims: Record<string, string[]> = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'picture'],
}

/** The names of the claims that scopes give access to, in the order of the scopes. */
export const claimsOfScopes = (scopes: string[]): string[] => scopes.flatMap((scope) => claims[scope] ?? [])

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
