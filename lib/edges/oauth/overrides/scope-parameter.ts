import type { Provider } from 'oidc-provider'

/**
 * Reads over stray spaces in the `scope` of any request: in front, behind, or several together. RFC 6749 section 3.3 has
 * one between two scopes, and the engine ends the request over any other, but agents send them.
 */
export function readOverStraySpaces(provider: Provider): void {
  const kept = Symbol('params')
  type Subject = { [kept]?: unknown }
  const { OIDCContext } = provider as unknown as { OIDCContext: { prototype: object } }
  Object.defineProperty(OIDCContext.prototype, 'params', {
    configurable: true,
    get(this: Subject) {
      return this[kept]
    },
    set(this: Subject, params: { scope?: unknown } | undefined) {
      if (typeof params?.scope === 'string') {
        params.scope = params.scope.split(' ').filter(Boolean).join(' ') || undefined
      }
      this[kept] = params
    },
  })
}
