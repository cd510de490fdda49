import { Resolver } from 'node:dns/promises'

/** Nobody answers there, which a query learns at once. */
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
 * Makes all DNS queries of this process go to one name server, since the machine that tests run on may have none.
 * @param address such as `127.0.0.1:5353`; a server that never answers if left out
 */
export function askNameServer(address = nowhere): void {
  current = address
}
