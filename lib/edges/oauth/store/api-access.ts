import { type ApiAccess, findApiAccess } from '@/lib/features/apps/authorizations/api-grants'
import { type Api, findApi } from '@/lib/features/resources/apis'
import { currentUnit } from './request-unit'

/** Returns the access that an authorization currently gives to an API. Runs one statement per request and API. */
export function grantedApi(authorizationId: string, api: Api): Promise<ApiAccess | undefined> {
  const unit = currentUnit()
  if (!unit) return findApiAccess(authorizationId, api)
  const key = `${authorizationId} ${api.id}`
  const known = unit.apiAccess.get(key) ?? findApiAccess(authorizationId, api)
  unit.apiAccess.set(key, known)
  return known
}

/**
 * Returns the API scopes that an authorization grants, in the form of an oidc-provider grant.
 * @param resources the resource indicators of the request
 */
export async function grantedResources(
  authorizationId: string,
  resources: readonly string[],
): Promise<Record<string, string>> {
  const granted: Record<string, string> = {}
  for (const resource of resources) {
    const api = await findApi(resource)
    const access = api && (await grantedApi(authorizationId, api))
    if (access) granted[resource] = access.scopes.join(' ')
  }
  return granted
}
