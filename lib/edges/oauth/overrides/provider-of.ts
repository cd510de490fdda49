import type { KoaContextWithOIDC, Provider } from 'oidc-provider'

type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>

/** The engine that answers a request, also where it has not made its own context yet: it is the Koa application itself. */
export const providerOf = (ctx: KoaContextWithOIDC): Provider => ctx.app as never as Provider

/**
 * Has middlewares stand around the engine, the first outermost. Its types know Koa's context alone; `ctx.oidc` is there once
 * its router has found the route.
 */
export function standAround(provider: Provider, middlewares: Middleware[]): void {
  for (const middleware of middlewares) provider.use(middleware as never)
}

/** A middleware for an endpoint and what is below it. Paths are compared as the engine's router does, whatever their case. */
export const at =
  (endpoint: string, middleware: Middleware): Middleware =>
  (ctx, next) => {
    const path = ctx.path.toLowerCase()
    return path === endpoint || path.startsWith(`${endpoint}/`) ? middleware(ctx, next) : next()
  }
