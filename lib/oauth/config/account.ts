import type { Account, AccountClaims } from 'oidc-provider'
import { pictureAddress } from '@/lib/pictures/address'
import { currentUnit } from '../store/request-unit'
import type { PersonRow } from '../store/snapshot'
import { loadPerson } from '../store/snapshot'

/** The claims each scope of OpenID Connect Core section 5.4 gives access to. They come from /oauth/me; an id_token
 * carries `sub` alone, unless one is asked for by name. */
export const claims = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'picture'],
}

/**
 * The person behind a token or session, from the request's snapshot where it has been read.
 * @returns undefined for somebody unknown or suspended: every credential of theirs is then dead
 */
export async function findAccount(_ctx: unknown, id: string): Promise<Account | undefined> {
  const known = currentUnit()?.snapshot?.person
  const person = known?.id === id ? known : await loadPerson(id)
  if (!person || person.suspended) return undefined
  return { accountId: person.id, claims: async () => toClaims(person) }
}

/** Everything that a claim may say about a person. */
export const toClaims = (person: PersonRow): AccountClaims => ({
  sub: person.id,
  email: person.email,
  email_verified: person.emailVerified,
  name: person.name,
  ...(person.avatarUrl ? { picture: pictureAddress(person.avatarUrl) } : {}),
})
