import { AsyncLocalStorage } from 'node:async_hooks'

// Next's modules require it when they load. Next's server provides it. See next-route.ts.
Object.assign(globalThis, { AsyncLocalStorage })
