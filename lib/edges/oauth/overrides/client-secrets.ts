import type { Provider } from 'oidc-provider'
import { findMatch } from '@/lib/base/credentials/find-match'
import { currentUnit } from '../store/request-unit'
import { noteSecretUse } from '../store/secret-usage'
import { loadSnapshot, type Snapshot } from '../store/snapshot'

/**
 * Teaches the engine to check client secrets that are stored as hashes, several of them live at once (RFC 6749 2.3.1).
 */
export function applyHashedSecrets(provider: Provider): void {
  Object.assign(provider.Client.prototype, {
    async compareClientSecret(this: { clientId: string }, presented: string): Promise<boolean> {
      const unit = currentUnit()
      const { secrets } = (await unit?.prime(this.clientId)) ?? (await loadSnapshot(this.clientId, null))
      return isOneOf(secrets, presented)
    },
  })
}

/** Whether a client secret is one of those stored, and notes its use. */
export function isOneOf(secrets: Snapshot['secrets'], presented: string): boolean {
  const match = findMatch(secrets, presented)
  if (match) noteSecretUse(match.id)
  return match !== undefined
}
