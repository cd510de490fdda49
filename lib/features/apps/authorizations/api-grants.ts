import type { Db } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { type Api, type ApiScope, apiById, apiOfScope, findApi } from '@/lib/features/resources/apis'
import { allowedTo, owningWorkspace } from '@/lib/policy/app-status'
import { isScope, type Role, requestableScopes, type Scope, scopeFor } from '@/lib/policy/scopes'
import { type EffectiveRole, effectiveRoles } from '@/lib/policy/selected-access'

/** An API that an app requests or can access, with the requested or granted scopes. */
export type RequestedApi = { api: Api; scopes: ApiScope[] }

/**
 * Returns the registered APIs that an authorization request names in `resource`, each with its requested
 * scopes. Ignores scopes that belong to none of these APIs. Without a `resource`, returns an empty list and
 * does not query the database.
 * @param resource the `resource` parameter (RFC 8707): one or several values
 */
export async function requestedApis(scopes: readonly string[], resource: unknown): Promise<RequestedApi[]> {
  const names = [resource ?? []].flat().filter((each): each is string => typeof each === 'string')
  const apis = new Map<string, Api>()
  for (const name of names) {
    const api = await findApi(name)
    if (api) apis.set(api.id, api)
  }
  return [...apis.values()].map((api) => ({
    api,
    scopes: api.scopes.filter(({ name }) => scopes.includes(name)),
  }))
}

/**
 * Returns the requested APIs with the requested scopes that the app is allowed to request. Omits APIs without
 * such scopes.
 * @param allowed the `allowed` parameter of `requestableScopes`
 */
export const allowedApis = (apis: readonly RequestedApi[], allowed: readonly string[]): RequestedApi[] =>
  apis
    .map(({ api, scopes }) => ({
      api,
      scopes: scopes.filter(({ name }) => requestableScopes([name], allowed).length > 0),
    }))
    .filter(({ scopes }) => scopes.length > 0)

/** Returns the names of all scopes requested from the APIs. */
export const scopeNames = (apis: readonly RequestedApi[]): string[] =>
  apis.flatMap(({ scopes }) => scopes.map(({ name }) => name))

const roles: Record<ApiScope['sensitivity'], Role> = { LOW: 'VIEWER', ELEVATED: 'MEMBER', HIGH: 'ADMIN' }

/**
 * Returns the instance's own scopes that represent API scopes when a workspace limits an app's access, and
 * when the server determines what the user must select. Depending on its sensitivity, an API scope for
 * projects counts as `project:viewer`, `project:member`, or `project:admin`. API scopes for workspaces count
 * as the corresponding workspace scopes. API scopes that require no selection have no equivalent. The
 * equivalent scopes are not added to tokens.
 */
export const equivalentScopes = (apis: readonly RequestedApi[]): Scope[] => [
  ...new Set(
    apis.flatMap(({ scopes }) =>
      scopes.flatMap(({ selects, sensitivity }) =>
        selects === 'NOTHING'
          ? []
          : [scopeFor(selects === 'WORKSPACES' ? 'workspace' : 'project', roles[sensitivity])],
      ),
    ),
  ),
]

/**
 * Returns the scopes that a workspace's rules apply to: the requested scopes of this instance and the
 * equivalents of the requested API scopes. If the request is for no API, returns the requested scopes
 * unchanged.
 */
export const judgedScopes = (scopes: readonly string[], apis: readonly RequestedApi[]): string[] =>
  apis.length === 0 ? [...scopes] : [...new Set([...scopes.filter(isScope), ...equivalentScopes(apis)])]

/** Returns whether any of the scopes requires a selection of the given kind. */
const selectsKind = (scopes: readonly ApiScope[], kind: 'WORKSPACES' | 'PROJECTS'): boolean =>
  scopes.some(({ selects }) => selects === kind)

/** A selection from a consent page or an earlier grant. */
type Selection = { workspaceIds: string[]; projectIds: string[] }

/**
 * Stores the access to APIs that a user granted to an app. For each API, replaces the earlier scopes together
 * with their selection. Each API has its own row. Therefore, consent to one API does not affect other APIs or
 * extend the app's access to the instance itself.
 * @param selection the workspaces and projects that the user selected. Kinds that no scope of an API requires
 * are not stored.
 */
export async function saveApiGrants(
  tx: Db,
  authorizationId: string,
  apis: readonly RequestedApi[],
  selection: Selection,
): Promise<void> {
  for (const { api, scopes } of apis) {
    const data = {
      scopes: scopes.map(({ name }) => name),
      workspaceIds: selectsKind(scopes, 'WORKSPACES') ? selection.workspaceIds : [],
      projectIds: selectsKind(scopes, 'PROJECTS') ? selection.projectIds : [],
    }
    const key = { authorizationId, apiId: api.id }
    await tx.apiGrant.upsert({
      where: { authorizationId_apiId: key },
      create: { ...key, ...data },
      update: data,
    })
  }
}

/** A stored grant for an API. */
type StoredGrant = Selection & { apiId: string; scopes: string[] }

/**
 * Returns the APIs of stored grants with the scopes that the app can use now. Omits deleted APIs, and APIs
 * whose scopes the app can no longer use.
 * @param allowed the `allowed` parameter of `requestableScopes`
 */
export async function grantedApis(
  grants: readonly StoredGrant[],
  allowed: readonly string[],
): Promise<RequestedApi[]> {
  const apis: RequestedApi[] = []
  for (const { apiId, scopes } of grants) {
    const api = await apiById(apiId)
    if (api) apis.push({ api, scopes: api.scopes.filter(({ name }) => scopes.includes(name)) })
  }
  return allowedApis(apis, allowed)
}

const selection = { workspaceIds: true, projectIds: true } as const

/** The columns of an authorization that must be read for `wholeSelection`. */
export const selectShared = { ...selection, apiGrants: { select: selection } } as const

/** Returns all workspaces and projects that a user shares with an app, on this instance and in APIs. */
export const wholeSelection = ({
  workspaceIds,
  projectIds,
  apiGrants,
}: Selection & { apiGrants: readonly Selection[] }): Selection => ({
  workspaceIds: [...new Set([workspaceIds, ...apiGrants.map((grant) => grant.workspaceIds)].flat())],
  projectIds: [...new Set([projectIds, ...apiGrants.map((grant) => grant.projectIds)].flat())],
})

/**
 * Returns the new value of one part of a selection. The user edits a single list of everything that the app
 * can access, but the instance and each API store their own part of it. Entries that the user removes
 * disappear from every part, entries that the user adds appear in every part, and other entries stay in their
 * parts.
 * @param own the part's current value
 * @param shown the list before the change
 * @param chosen the list after the change
 */
export const changedPart = (own: string[], shown: string[], chosen: string[]): string[] =>
  chosen.filter((id) => own.includes(id) || !shown.includes(id))

/**
 * Applies a user's change to the selections of an authorization's API grants. If the scopes of an API no
 * longer require workspaces or projects, removes the selected workspaces or projects from the API's grant.
 * @param apis the result of `grantedApis`; other grants do not change
 */
export async function changeApiSelections(
  tx: Db,
  authorizationId: string,
  grants: readonly StoredGrant[],
  apis: readonly RequestedApi[],
  change: { shown: Selection; chosen: Selection },
): Promise<void> {
  const { shown, chosen } = change
  for (const { api, scopes } of apis) {
    const grant = grants.find(({ apiId }) => apiId === api.id)
    if (!grant) continue
    const asks = { workspaces: selectsKind(scopes, 'WORKSPACES'), projects: selectsKind(scopes, 'PROJECTS') }
    await tx.apiGrant.update({
      where: { authorizationId_apiId: { authorizationId, apiId: api.id } },
      data: {
        workspaceIds: asks.workspaces
          ? changedPart(grant.workspaceIds, shown.workspaceIds, chosen.workspaceIds)
          : [],
        projectIds: asks.projects ? changedPart(grant.projectIds, shown.projectIds, chosen.projectIds) : [],
      },
    })
  }
}

/** An app's current access to an API on behalf of a user. */
export type ApiAccess = {
  authorizationId: string
  userId: string
  clientId: string
  appWorkspaceId: string | null
  /** The granted scopes that the API still has and that the app is still allowed to request. */
  scopes: string[]
  workspaceIds: string[]
  projectIds: string[]
}

const findGrant = statement<ApiAccess & { allowed: string[] }, [authorizationId: string, apiId: string]>(
  'api-grant',
  `SELECT z.id AS "authorizationId", z.user_id AS "userId", z.client_id AS "clientId", ${owningWorkspace('c')} AS "appWorkspaceId",
          g.scopes, g.workspace_ids AS "workspaceIds", g.project_ids AS "projectIds", COALESCE(c.allowed_scopes, '{}') AS allowed
     FROM api_grants g JOIN authorizations z ON z.id = g.authorization_id JOIN oauth_clients c ON c.id = z.client_id
    WHERE g.authorization_id = $1::uuid AND g.api_id = $2`,
)

/** Returns the access to an API that an authorization currently gives, or undefined if it gives none. */
export async function findApiAccess(authorizationId: string, api: Api): Promise<ApiAccess | undefined> {
  const [found] = await findGrant(authorizationId, api.id)
  if (!found) return undefined
  const { allowed, ...access } = found
  const known = new Set(api.scopes.map(({ name }) => name))
  const scopes = requestableScopes(access.scopes, allowedTo(access.clientId, allowed)).filter((scope) =>
    known.has(scope),
  )
  return scopes.length > 0 ? { ...access, scopes } : undefined
}

/**
 * A workspace or project that a token gives access to (RFC 9396), with the app's current role there. An entry
 * of the type `incomplete` marks a shortened list and contains the number of entries in the complete list.
 */
export type AuthorizationDetail =
  | { type: 'workspace' | 'project'; identifier: string; role: 'admin' | 'member' | 'viewer' }
  | { type: 'incomplete'; total: number }

/**
 * The maximum number of workspaces and projects in a token or a token response. A JWT with more entries might
 * not fit into an HTTP header. Introspection returns all entries.
 */
const mostDetails = 20

/**
 * Returns the selected workspaces and projects that a token for an API gives access to, with the app's
 * current role in each. Omits workspaces and projects in which the app has no role now (`effectiveRoles`).
 * @param scopes the token's scopes. Workspaces are omitted if no scope is for workspaces, and projects are
 * omitted if no scope is for projects.
 * @param twoFactor whether the user signed in with two-factor authentication. If not, workspaces that require
 * it and their projects are omitted.
 * @returns undefined if no scope is for workspaces or projects
 */
export async function authorizationDetails(
  api: Api,
  access: ApiAccess,
  scopes: readonly string[],
  twoFactor: boolean,
): Promise<AuthorizationDetail[] | undefined> {
  const used = api.scopes.filter(({ name }) => scopes.includes(name))
  const asks = { workspaces: selectsKind(used, 'WORKSPACES'), projects: selectsKind(used, 'PROJECTS') }
  if (!asks.workspaces && !asks.projects) return undefined
  const found = await effectiveRoles({
    ...access,
    workspaceIds: asks.workspaces ? access.workspaceIds : [],
    projectIds: asks.projects ? access.projectIds : [],
    twoFactor,
  })
  return found.map(toDetail)
}

const toDetail = ({ type, id, role }: EffectiveRole): AuthorizationDetail => ({
  type,
  identifier: id,
  role: role.toLowerCase() as 'admin' | 'member' | 'viewer',
})

/**
 * Returns the details, shortened to the maximum number. If some are omitted, adds an entry with the total
 * number.
 */
export const boundedDetails = (details: AuthorizationDetail[]): AuthorizationDetail[] =>
  details.length <= mostDetails
    ? details
    : [...details.slice(0, mostDetails), { type: 'incomplete', total: details.length }]

/**
 * Returns the APIs that the named scopes belong to, each with its scopes from the list. Ignores unknown
 * names.
 */
export async function apisOfScopes(names: readonly string[]): Promise<RequestedApi[]> {
  const groups = new Map<string, RequestedApi>()
  for (const name of names) {
    const api = await apiOfScope(name)
    const scope = api?.scopes.find((each) => each.name === name)
    if (!api || !scope) continue
    const group = groups.get(api.id) ?? { api, scopes: [] }
    groups.set(api.id, group)
    group.scopes.push(scope)
  }
  return [...groups.values()]
}
