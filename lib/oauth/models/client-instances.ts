import type { Client, Provider } from 'oidc-provider'
import type { ClientRow } from '../store/clients-by-version'
import { findClientRow } from '../store/find-client-row'

/**
 * Keeps the engine's object of a client for as long as its row stays the same. The engine does so too, but finds out by
 * serialising and hashing the client's metadata with every request.
 */
export function keepClientInstances(provider: Provider): void {
  const instances = new WeakMap<ClientRow, Client>()
  const engineFind = provider.Client.find.bind(provider.Client)
  provider.Client.find = async (id) => {
    const row = typeof id === 'string' && id !== '' ? await findClientRow(id) : undefined
    const known = row && instances.get(row)
    if (known) return known
    const client = await engineFind(id)
    if (client && row) instances.set(row, client)
    return client
  }
}
