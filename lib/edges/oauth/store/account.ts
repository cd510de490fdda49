import type { Account, AccountClaims, KoaContextWithOIDC } from 'oidc-provider'
import { pictureAddress } from '@/lib/features/pictures/address'
import { loadPerson } from './read-by-id'
import { currentUnit } from './request-unit'
import type { PersonRow } from './snapshot'

/** The claims each scope gives access to (OpenID Connect Core section 5.4), at /oauth/me and in the id_token of a sign-in. See decision 083. */
export const claims: Record<string, string[]> = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'picture'],
}

/** The names of the claims that scopes give access to, in the order of the scopes. */
export const claimsOfScopes = (scopes: string[]): string[] => scopes.flatMap((scope) => claims[scope] ?? [])

/**
 * The person behind a token or session, from the request's snapshot where it has been read. What is told of them is what
 * the token's scopes give access to, as far as the person still allows them: a claim that the `claims` parameter asks for
 * by name (OpenID Connect Core section 5.5) takes its scope too, since the consent page speaks of scopes.
 * @returns undefined for somebody unknown or suspended: every credential of theirs is then dead
 */
export async function findAccount(ctx: KoaContextWithOIDC, id: string): Promise<Account | undefined> {
  const known = currentUnit()?.snapshot?.person
  const person = known?.id === id ? known : await loadPerson(id)
  if (!person || person.suspended) return undefined
  return {
    accountId: person.id,
    async claims(use, scope, named) {
      const granted = new Set(ctx.oidc.entities.Grant?.getOIDCScope().split(' '))
      const names = claimsOfScopes(scope.split(' ').filter((each) => granted.has(each)))
      const told = isRenewed(ctx, use) ? names.filter((name) => name in named) : names
      return { ...pickClaims(person, told), sub: person.id }
    },
  }
}

/** An id_token that comes with a refresh says who it is; the rest was said at the sign-in. */
const isRenewed = (ctx: KoaContextWithOIDC, use: string): boolean =>
  use === 'id_token' && ctx.oidc.params?.grant_type === 'refresh_token'

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
