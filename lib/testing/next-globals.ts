import { AsyncLocalStorage } from 'node:async_hooks'

// Next's modules look for it when they are loaded; its server provides it. See next-route.ts.
Object.assign(globalThis, { AsyncLocalStorage })
