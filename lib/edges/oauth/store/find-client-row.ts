import type { ClientRow } from './clients-by-version'
import { currentUnit } from './request-unit'
import { loadSnapshot, type Snapshot } from './snapshot'

/**
 * The client of a snapshot, if it may act: see `findClientRow`.
 * @param route the engine's name of the endpoint
 */
export function actingClient(
  { client }: Snapshot,
  id: string,
  route: string | undefined,
): ClientRow | undefined {
  if (!client || client.disabled || client.id !== id) return undefined
  return client.source !== 'METADATA_DOCUMENT' || route === 'userinfo' ? client : undefined
}

/**
 * The row of a client that may act; from the request's snapshot where there is a request. Disabled clients do not exist.
 * Of metadata-document clients the row only anchors authorizations, because the engine fetches the documents itself; but
 * what it holds is enough to read claims with a token, for which nobody should have to wait for a document.
 */
export async function findClientRow(id: string): Promise<ClientRow | undefined> {
  const unit = currentUnit()
  return actingClient((await unit?.prime(id)) ?? (await loadSnapshot(id, null)), id, unit?.route)
}
