import { AsyncLocalStorage } from 'node:async_hooks'

// Next's modules require this global when they load. Define it, because tests run without Next's own server,
// which provides it. See next-route.ts.
Object.assign(globalThis, { AsyncLocalStorage })
