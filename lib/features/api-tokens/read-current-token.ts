import { statement } from '@/lib/base/db/statement'
import type { Caller } from '@/lib/policy/bearer'

/** What is stored of the token of a request: its name where it has one, when it was made and when it ends. */
export type CurrentToken = { name: string | null; createdAt: Date; expiresAt: Date | null }

const findApiToken = statement<CurrentToken, [id: string]>(
  'current-api-token',
  `SELECT name, created_at AS "createdAt", expires_at AS "expiresAt" FROM api_tokens WHERE id = $1`,
)

const findAccessToken = statement<CurrentToken, [hash: Buffer]>(
  'current-access-token',
  `SELECT NULL::text AS name, created_at AS "createdAt", expires_at AS "expiresAt" FROM ONLY oauth_artifacts WHERE hash = $1`,
)

/**
 * The token that was sent with a request.
 * @returns undefined when it was revoked meanwhile
 */
export async function readCurrentToken({ actor, hash }: Caller): Promise<CurrentToken | undefined> {
  const [found] = await ('tokenId' in actor ? findApiToken(actor.tokenId) : findAccessToken(hash))
  return found
}
