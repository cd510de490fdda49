import type { Caller, Origin } from './bearer'
import { countedAs } from './counted-as'
import { findManagedAccess, findManagedToken } from './managed-access'
import { scopesUnder } from './scopes'
import { hasTwoFactors } from './two-factor'

/**
 * Who asks with a token that an app got by the word of a company's identity provider: the person, in the one workspace, within
 * what an admin chose. One statement for the token, one for how it stands now.
 * @param hash of the token
 */
export async function callerFromManaged(hash: Buffer, origin: Origin): Promise<Caller | undefined> {
  const [token] = await findManagedToken(hash)
  if (!token?.managed) return undefined
  const { managed, clientId, tokenScope, audience, boundTo } = token
  const access = await findManagedAccess(managed, clientId)
  if (!access) return undefined
  const { userId, userName: name, email, avatarUrl } = access
  return {
    actor: {
      kind: 'oauth',
      userId,
      clientId,
      appWorkspaceId: access.appWorkspaceId,
      authorizationId: null,
      scopes: new Set(scopesUnder((tokenScope ?? '').split(' '), access.scopes)),
      workspaceIds: [access.workspaceId],
      projectIds: [],
      twoFactor: hasTwoFactors(managed.methods),
      ...origin,
    },
    person: { id: userId, name, email, avatarUrl },
    credential: { table: 'managed_apps', id: countedAs(`${access.id} ${userId}`) },
    hash,
    audience: audience ? [audience].flat() : [],
    boundTo,
  }
}
