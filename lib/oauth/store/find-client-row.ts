import type { ClientRow } from './clients-by-version'
import { currentUnit } from './request-unit'
import { loadSnapshot } from './snapshot'

/**
 * The row of a client that may act; from the request's snapshot where there is a request. Disabled clients do not exist.
 * Of metadata-document clients the row only anchors authorizations, because the engine fetches the documents itself; but
 * what it holds is enough to read claims with a token, for which nobody should have to wait for a document.
 */
export async function findClientRow(id: string): Promise<ClientRow | undefined> {
  const unit = currentUnit()
  const { client } = (await unit?.prime(id)) ?? (await loadSnapshot(id, null))
  if (!client || client.disabled || client.id !== id) return undefined
  return client.source !== 'METADATA_DOCUMENT' || unit?.route === 'userinfo' ? client : undefined
}
