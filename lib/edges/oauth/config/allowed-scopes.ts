import type { KoaContextWithOIDC } from 'oidc-provider'
import { askable } from '@/lib/policy/scopes'
import { findClientRow } from '../store/find-client-row'

/**
 * Takes the scopes out of a request that its app may not ask for, as the engine takes out those that nobody knows. The engine has
 * a bound of its own (`scope` of RFC 7591 section 2), which refuses the whole request.
 * See decision 193.
 */
export async function dropScopes(ctx: KoaContextWithOIDC): Promise<void> {
  const { client } = ctx.oidc
  if (client) dropBeyond(ctx, (await findClientRow(client.clientId))?.allowedScopes ?? [])
}

/** The same where it has been read what the app may ask for. */
export function dropBeyond({ oidc: { params } }: KoaContextWithOIDC, allowed: readonly string[]): void {
  if (allowed.length === 0 || typeof params?.scope !== 'string') return
  params.scope = askable(params.scope.split(' '), allowed).join(' ') || undefined
}
