import { Resolver } from 'node:dns/promises'

// Tests that run a third-party server on loopback load this file before the product (NODE_OPTIONS). The file
// makes the guard of outbound requests (lib/base/outbound/check-url.ts) allow that third party. The product
// has no such setting.
globalThis.__latchkey = new Map([['outbound-allowance', { current: JSON.parse(process.env.E2E_REACHES) }]])

// Sends DNS queries to the test's name server.
for (const method of ['resolve4', 'resolve6', 'resolveTxt']) {
  const original = Resolver.prototype[method]
  Resolver.prototype[method] = function (...args) {
    this.setServers([process.env.E2E_NAME_SERVER])
    return original.apply(this, args)
  }
}
