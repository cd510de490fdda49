import { z } from 'zod'
import { oneOf } from '@/lib/base/errors/input'
import { allScopes, type Scope, withIncluded } from '@/lib/policy/scopes'

/**
 * What an app may ask for, as a list or as text with one a line. It is kept with `openid` and with what other scopes include, and as
 * none where it is all there is, so that a scope of a later release is among it.
 * See decision 193.
 */
export const allowedScopesInput = z
  .union([z.string().transform((text) => text.split(/\s+/)), z.array(z.string())])
  .transform((list) => [...new Set(list.filter(Boolean))])
  .pipe(z.array(z.enum(allScopes as [Scope, ...Scope[]], oneOf(allScopes))))
  .transform((list) => {
    const within = new Set(withIncluded(['openid', ...list]))
    return within.size === allScopes.length ? [] : allScopes.filter((scope) => within.has(scope))
  })

/** What an app may ask for, with all that it includes; null where it may ask for everything. */
export const allowedScopesOf = ({ allowedScopes }: { allowedScopes: string[] }): string[] | null =>
  allowedScopes.length > 0 ? allowedScopes : null
