import { Resolver } from 'node:dns/promises'

// Loaded before the product, by the tests that have a third party on loopback (NODE_OPTIONS): the guard of outgoing calls lets that
// one through, as lib/base/outbound/check-url.ts keeps it. The product has no setting for it, and none is made for tests.
globalThis.__latchkey = new Map([['outbound-allowance', { current: JSON.parse(process.env.E2E_REACHES) }]])

// The same for DNS: its queries go to the name server of the test.
for (const method of ['resolve4', 'resolve6', 'resolveTxt']) {
  const original = Resolver.prototype[method]
  Resolver.prototype[method] = function (...args) {
    this.setServers([process.env.E2E_NAME_SERVER])
    return original.apply(this, args)
  }
}
