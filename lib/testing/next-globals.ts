import { AsyncLocalStorage } from 'node:async_hooks'

// Next's modules require this global when they load. Next's own server provides it. See next-route.ts.
Object.assign(globalThis, { AsyncLocalStorage })
