import { deriveCredential, hashCredential } from '@/lib/base/credentials/tokens'
import type { Db } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import type { Actor } from './actor'

/**
 * Returns when a new API token or client secret expires. If an API token creates it, it expires no later than that token:
 * otherwise a leaked token that expires could give itself a successor that does not. Sessions are not limited.
 * The creating token is locked until the transaction ends, so a token that is being revoked creates nothing.
 * @param expiresAt the requested expiry; without one, the expiry of the creating token applies
 * @returns null for a credential that does not expire
 * @throws AppError BAD_USER_INPUT for a later expiry, UNAUTHENTICATED if the creating token was revoked in the meantime
 */
export async function expiryWithin(
  tx: Db,
  actor: Actor,
  expiresAt: Date | null | undefined,
): Promise<Date | null> {
  if (!('tokenId' in actor)) return expiresAt ?? null
  const [token] = await tx.$queryRaw<{ hash: Uint8Array; expiresAt: Date | null }[]>`
    SELECT hash, expires_at AS "expiresAt" FROM api_tokens WHERE id = ${actor.tokenId}::uuid FOR SHARE`
  if (!token) throw new AppError('UNAUTHENTICATED')
  const latest = token.expiresAt
  if (!latest || (expiresAt && expiresAt <= latest)) return expiresAt ?? null
  if (await isExplorerToken(tx, actor.userId, token.hash)) return expiresAt ?? null
  if (!expiresAt) return latest
  throw badInput(
    'expiresAt',
    `This token expires at ${latest.toISOString()}, and what it creates can't expire later. Choose an earlier date.`,
  )
}

/**
 * Returns the value of the account token that the GraphQL explorer uses for a session. It is derived from the session's ID under
 * a key of this service. See decision 207.
 */
export const explorerTokenOf = (sessionId: string): string =>
  deriveCredential('accountToken', 'explorer-token', sessionId)

/**
 * Whether a token is the explorer's. Only this server knows its value and sends it for a request of the session itself, which
 * extends it: its short expiry is not a limit that the user chose.
 */
async function isExplorerToken(tx: Db, userId: string, hash: Uint8Array): Promise<boolean> {
  const sessions = await tx.session.findMany({ where: { userId }, select: { id: true } })
  return sessions.some(({ id }) => hashCredential(explorerTokenOf(id)).equals(hash))
}
