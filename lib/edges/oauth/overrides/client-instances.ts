import type { Client, Provider } from 'oidc-provider'
import type { ClientRow } from '../store/clients-by-version'
import { findClientRow } from '../store/find-client-row'

const instances = new WeakMap<Provider, WeakMap<ClientRow, Client>>()

/** The engine's object of a client, if an earlier request has made it from the row as it is now. */
export const knownClient = (provider: Provider, row: ClientRow): Client | undefined =>
  instances.get(provider)?.get(row)

/**
 * Keeps the engine's object of a client for as long as its row stays the same. The engine does so too, but finds out by
 * serialising and hashing the client's metadata with every request.
 */
export function keepClientInstances(provider: Provider): void {
  const made = new WeakMap<ClientRow, Client>()
  instances.set(provider, made)
  const engineFind = provider.Client.find.bind(provider.Client)
  provider.Client.find = async (id) => {
    const row = typeof id === 'string' && id !== '' ? await findClientRow(id) : undefined
    const known = row && made.get(row)
    if (known) return known
    const client = await engineFind(id)
    if (client && row) made.set(row, client)
    return client
  }
}
