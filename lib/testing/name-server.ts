import { Resolver } from 'node:dns/promises'

/** An IP address and port on which no server listens, so that queries fail immediately. */
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
 * Sets the name server that receives this process's DNS queries for A, AAAA, and TXT records. The queries do
 * not go to the test machine's own name server, because a machine might not have one.
 * @param address the server's IP address and port, such as `127.0.0.1:5353`; by default, a port on which no
 * server listens
 */
export function setNameServer(address = nowhere): void {
  current = address
}
