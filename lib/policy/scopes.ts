import type { Role } from '@/lib/generated/prisma/enums'

export type { Role }

/** ADMIN includes MEMBER, and MEMBER includes VIEWER. */
const rank: Record<Role, number> = { VIEWER: 1, MEMBER: 2, ADMIN: 3 }

/** Returns whether a role includes another one, or false if there is no role. */
export const roleIncludes = (role: Role | undefined, needed: Role): boolean =>
  role !== undefined && rank[role] >= rank[needed]

/** Returns the higher of two roles, or the only role if the other one is absent. */
export const higher = (a: Role | undefined, b: Role | undefined): Role | undefined =>
  !a ? b : !b ? a : rank[a] >= rank[b] ? a : b

/** Returns the lower of two roles, or undefined if either is absent. */
export const lowerRole = (role: Role | undefined, cap: Role | undefined): Role | undefined =>
  !role || !cap ? undefined : rank[role] <= rank[cap] ? role : cap

/**
 * How much access an app gets. `full` is full access as an admin, `asked` is all the requested access, and
 * the other values are the user's own, lower role.
 */
export type GrantedAccess = 'full' | 'asked' | 'member' | 'viewer'

/**
 * Returns the access that an app gets, which never exceeds the user's own.
 * @param asked the role that the app requests; undefined if it requests none
 */
export function grantedAccess(own: Role, asked: Role | undefined): GrantedAccess {
  if (!asked || roleIncludes(own, asked)) return asked === 'ADMIN' ? 'full' : 'asked'
  return own === 'MEMBER' ? 'member' : 'viewer'
}

/**
 * Returns whether the requested access to a workspace includes the requested access to its projects. The
 * result is false if no access to projects is requested.
 */
export const coversProjects = (asked: { workspace: Role | undefined; project: Role | undefined }): boolean =>
  asked.project !== undefined && roleIncludes(asked.workspace, asked.project)

/** Returns how a client was registered. The form of the client ID shows this, so no lookup is needed. */
export const clientSource = (clientId: string): 'SETTINGS' | 'DYNAMIC' | 'METADATA_DOCUMENT' =>
  clientId.startsWith('https://')
    ? 'METADATA_DOCUMENT'
    : clientId.startsWith(dynamicPrefix)
      ? 'DYNAMIC'
      : 'SETTINGS'

/** Returns whether a client is of a kind that anyone can register. No admin vouches for its name and URLs. */
export const isUnverifiedKind = (clientId: string): boolean => clientSource(clientId) !== 'SETTINGS'

/** The prefix of the client IDs of self-registered apps. */
export const dynamicPrefix = 'dyn_'

/**
 * Every scope in docs/api/contract.md, section 11, in the order and the English wording of the consent page.
 * The consent page highlights the `dangerous` scopes.
 */
export const scopeTable = {
  openid: { sentence: 'Confirm who you are', dangerous: false },
  email: { sentence: 'See your email address', dangerous: false },
  profile: { sentence: 'See your name and picture', dangerous: false },
  offline_access: { sentence: 'Keep access while you’re away, until you revoke it', dangerous: true },
  'workspace:admin': {
    sentence:
      'Fully control the workspaces you choose and their projects, including members and their email addresses, but never create tokens. Where you aren’t an admin, the app can do only what your role allows.',
    dangerous: true,
  },
  'workspace:member': {
    sentence: 'Read and write the workspaces you choose and their projects, and see the names of members',
    dangerous: false,
  },
  'workspace:viewer': {
    sentence: 'Read the workspaces you choose, their projects, and the names of members',
    dangerous: false,
  },
  'project:admin': {
    sentence:
      'Fully control the projects you choose, but never create tokens. Where you aren’t an admin, the app can do only what your role allows.',
    dangerous: true,
  },
  'project:member': { sentence: 'Read and write the projects you choose', dangerous: false },
  'project:viewer': { sentence: 'Read the projects you choose', dangerous: false },
  notifications: { sentence: 'Read and manage your notifications', dangerous: false },
  ssh_keys: { sentence: 'Manage your SSH keys', dangerous: true },
} as const

export type Scope = keyof typeof scopeTable

/**
 * All scopes of this instance. The discovery document lists them, followed by the scopes of registered APIs.
 */
export const allScopes = Object.keys(scopeTable) as Scope[]

export const isScope = (value: string): value is Scope => Object.hasOwn(scopeTable, value)

export type ResourceType = 'workspace' | 'project'

const resourceTypes: ResourceType[] = ['workspace', 'project']

const levels: Role[] = ['ADMIN', 'MEMBER', 'VIEWER']

const scopesOf: Record<ResourceType, Record<Role, Scope>> = {
  workspace: { ADMIN: 'workspace:admin', MEMBER: 'workspace:member', VIEWER: 'workspace:viewer' },
  project: { ADMIN: 'project:admin', MEMBER: 'project:member', VIEWER: 'project:viewer' },
}

/** Returns the scope that grants a role on a kind of resource, such as `project:member`. */
export const scopeFor = (resource: ResourceType, role: Role): Scope => scopesOf[resource][role]

/** Returns the highest role that scopes grant on a kind of resource, or undefined if they grant none. */
export const roleFromScopes = (scopes: ReadonlySet<string>, resource: ResourceType): Role | undefined =>
  levels.find((role) => scopes.has(scopeFor(resource, role)))

/** Returns a scope's kind of resource, or undefined for any other scope, such as `email`. */
export const resourceOf = (scope: string): ResourceType | undefined =>
  /^(workspace|project):/.exec(scope)?.[1] as ResourceType | undefined

/** Returns scopes together with the scopes that they include. */
export function withIncluded(scopes: readonly string[]): string[] {
  const included = resourceTypes.flatMap((resource) => {
    const role = roleFromScopes(new Set(scopes), resource)
    return role ? levels.slice(levels.indexOf(role)).map((level) => scopeFor(resource, level)) : []
  })
  return [...new Set([...scopes, ...included])]
}

/**
 * Returns a token's effective scopes, which never exceed the token's own scopes or those of its current
 * authorization. For each kind of resource, the lower role applies. Any other scope is effective only if both
 * lists contain it.
 * @param token the scopes of the token as issued
 * @param authorization the scopes that the user currently allows
 * @returns the scopes in the order of the authorization
 */
export function effectiveScopes(token: readonly string[], authorization: readonly string[]): string[] {
  const asked = new Set(token)
  const allowed = new Set(authorization)
  const wanted = new Set(asked)
  for (const resource of resourceTypes) {
    const role = lowerRole(roleFromScopes(asked, resource), roleFromScopes(allowed, resource))
    if (role) wanted.add(scopeFor(resource, role))
  }
  return withIncluded(authorization).filter((scope) => wanted.has(scope))
}

/**
 * Returns the requested scopes that an app is allowed to request. All other requested scopes are omitted, in
 * the same way as unknown scopes. See ADR 0018.
 * @param allowed the scopes that admins allow for the app, which also allow the lower scopes; empty if all
 * scopes are allowed
 */
export function requestableScopes<Name extends string>(
  asked: readonly Name[],
  allowed: readonly string[],
): Name[] {
  const within = new Set(withIncluded(allowed))
  return allowed.length === 0 ? [...asked] : asked.filter((scope) => within.has(scope))
}

/**
 * Returns the granted scopes, limited to the scopes that admins allow for the app. For each kind of resource,
 * the lower role applies.
 * @param allowed the `allowed` parameter of `requestableScopes`
 */
export const limitScopes = (given: readonly string[], allowed: readonly string[]): string[] =>
  allowed.length === 0 ? [...given] : effectiveScopes(given, allowed)

/** Returns whether users who consent to these scopes select resources of this kind. */
export const needsSelection = (scopes: Iterable<string>, resource: ResourceType): boolean =>
  roleFromScopes(new Set(scopes), resource) !== undefined
