import { errors } from 'oidc-provider'
import type { Payload } from './artifacts'
import type { RequestUnit } from './request-unit'
import type { ArtifactRow } from './snapshot'

/** How long the first answer is repeated to whoever presents the same refresh token again. See decision 011. */
const graceSeconds = 30

/**
 * Decides what a credential that was used before means at POST /oauth/token.
 * - A refresh token within its window of grace counts as unused, so that the engine runs all its checks on the request
 *   once more; the answer is then replaced by the first one (commit-token-request).
 * - The loser of a race for a code is refused, and that is all (code-race.ts).
 * - Anything else is reuse: the engine asks to revoke, and `endIssued` does.
 * @returns the payload as the engine shall see it
 * @throws errors.InvalidGrant for the loser of a race
 */
export async function decideReuse(
  unit: RequestUnit,
  artifact: ArtifactRow,
  payload: Payload,
): Promise<Payload> {
  const redemption = artifact.model === 'RefreshToken' ? undefined : unit.redeem(artifact)
  if (!artifact.consumedAt) return payload
  const { consumed: _, ...unused } = payload
  if (artifact.model === 'RefreshToken') {
    if (artifact.replay && artifact.readAt - artifact.consumedAt.getTime() <= graceSeconds * 1000) {
      unit.replay = artifact.replay
      return unused
    }
    return payload
  }
  if (await redemption?.lostRace()) throw new errors.InvalidGrant('lost the race for this code')
  return payload
}
