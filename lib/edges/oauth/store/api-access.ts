import { type ApiAccess, findApiAccess } from '@/lib/features/apps/authorizations/api-grants'
import { type Api, findApi } from '@/lib/features/resources/apis'
import { currentUnit } from './request-unit'

/**
 * Returns the access that an authorization currently gives to an API, or undefined if it gives none. In an
 * OAuth request, runs only one statement per authorization and API.
 */
export function grantedApi(authorizationId: string, api: Api): Promise<ApiAccess | undefined> {
  const unit = currentUnit()
  if (!unit) return findApiAccess(authorizationId, api)
  const key = `${authorizationId} ${api.id}`
  const known = unit.apiAccess.get(key) ?? findApiAccess(authorizationId, api)
  unit.apiAccess.set(key, known)
  return known
}

/**
 * Returns the API scopes that an authorization currently grants, by resource, as in the `resources` of an
 * oidc-provider grant. Omits resources that are not registered APIs and APIs to which the authorization gives
 * no access.
 * @param resources the resource indicators of the request or of its code or token
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
