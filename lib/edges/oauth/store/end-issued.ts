import { revokeForReuse } from '@/lib/features/apps/authorizations/revoke-authorization'
import { deleteFamily } from './artifacts'
import type { RequestUnit } from './request-unit'

/**
 * Ends what was issued from a credential, when the engine asked for it:
 * - a refresh token presented again after its window of grace was stolen from somebody: the whole authorization goes,
 *   with an audit event (RFC 9700 section 4.14.2);
 * - a code presented again ends the sign-in it had started (RFC 6749 section 4.1.2), not the person's other ones;
 * - a revoked refresh token ends its sign-in too (RFC 7009 section 2.1), a revoked access token only itself.
 */
export async function endIssued(unit: RequestUnit): Promise<void> {
  const artifact = unit.snapshot?.artifact
  if (!artifact?.authorizationId) return
  if (unit.route === 'token' && artifact.model === 'RefreshToken') {
    await revokeForReuse(artifact.authorizationId)
  } else if (artifact.family && artifact.model !== 'AccessToken') {
    await deleteFamily(artifact.authorizationId, artifact.family)
  }
}
