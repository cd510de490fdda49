import { Resolver } from 'node:dns/promises'

/** No server listens there, so a query fails immediately. */
const nowhere = '127.0.0.1:9'

let current = nowhere

for (const method of ['resolve4', 'resolve6', 'resolveTxt'] as const) {
  const original = Resolver.prototype[method] as (...args: unknown[]) => unknown
  Resolver.prototype[method] = function (this: Resolver, ...args: unknown[]) {
    this.setServers([current])
    return original.apply(this, args)
  } as never
}

/**
 * Sends all DNS queries of this process to one name server, because the test machine might have none.
 * @param address such as `127.0.0.1:5353`; default: a server that never responds
 */
export function setNameServer(address = nowhere): void {
  current = address
}
