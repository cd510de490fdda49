import { AsyncLocalStorage } from 'node:async_hooks'
import { type Client, Provider } from 'oidc-provider'
import als from 'oidc-provider/lib/helpers/als.js'
import { expect, it } from 'vitest'
import { inRequest, requestId } from '@/lib/base/log/request-scope'
import type { AuthorizationRow } from '../store/snapshot'
import { grantedClaims, shareRequestScope } from './internals'

it('grantedClaims keeps a frequently used scope set in its cache despite thousands of other scope sets', async () => {
  const asked: string[] = []
  // A stand-in for oidc-provider that records each call.
  const provider = {
    Grant: class {
      getOIDCScopeFiltered = (scopes: Set<string>) => [...scopes].join(' ')
    },
    Claims: class {
      scope(scope: string) {
        asked.push(scope)
        return { result: async () => ({ sub: null }) }
      }
    },
  } as unknown as Provider
  const authorization = { scopes: ['openid'] } as unknown as AuthorizationRow
  const ask = (scope: string) => grantedClaims(provider, {} as Client, scope, authorization)
  for (let at = 0; at < 3_000; at++) {
    await ask('openid email')
    await ask(`openid x${at}`)
  }
  expect(asked.filter((scope) => scope === 'openid email')).toHaveLength(1)
})

it('shareRequestScope stores the oidc-provider context and the request ID in one AsyncLocalStorage', async () => {
  shareRequestScope()
  const context = {}
  const seen = await inRequest('request-name', () =>
    als.run(context, async () => {
      await undefined
      return { context: Provider.ctx, id: requestId(), own: AsyncLocalStorage.prototype.getStore.call(als) }
    }),
  )
  expect(seen.context).toBe(context)
  expect(seen.id).toBe('request-name')
  expect(seen.own).toBeUndefined()
})
