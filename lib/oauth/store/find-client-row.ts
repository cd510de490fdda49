import { currentUnit } from './request-unit'
import { type ClientRow, loadSnapshot } from './snapshot'

/**
 * The row of a client that may act; from the request's snapshot where there is a request. Disabled clients do not exist,
 * and of metadata-document clients the row only anchors authorizations: the engine fetches the documents itself.
 */
export async function findClientRow(id: string): Promise<ClientRow | undefined> {
  const { client } = (await currentUnit()?.prime(id)) ?? (await loadSnapshot(id, null))
  return client && !client.disabled && client.id === id && client.source !== 'METADATA_DOCUMENT'
    ? client
    : undefined
}
