import type { Role } from '@/lib/generated/prisma/enums'

export type { Role }

/** Ordered: admin includes member includes viewer. */
const rank: Record<Role, number> = { VIEWER: 1, MEMBER: 2, ADMIN: 3 }

/** Whether a role reaches another. No role reaches nothing. */
export const reaches = (role: Role | undefined, needed: Role): boolean =>
  role !== undefined && rank[role] >= rank[needed]

/** The higher of two roles, either of which may be absent. */
export const higher = (a: Role | undefined, b: Role | undefined): Role | undefined =>
  !a ? b : !b ? a : rank[a] >= rank[b] ? a : b

/** The lower of two roles; absent when either is. */
export const capped = (role: Role | undefined, cap: Role | undefined): Role | undefined =>
  !role || !cap ? undefined : rank[role] <= rank[cap] ? role : cap

/** How much of what it asks for an app gets where a person has a role; `full` where that is everything there is. */
export type Got = 'full' | 'asked' | 'member' | 'viewer'

/** What an app gets of the role it asks for: never more than the person's own. @param asked undefined where it asks for none */
export function gotOf(own: Role, asked: Role | undefined): Got {
  if (!asked || reaches(own, asked)) return asked === 'ADMIN' ? 'full' : 'asked'
  return own === 'MEMBER' ? 'member' : 'viewer'
}

/** Whether what is asked of a workspace covers what is asked of its projects. */
export const coversProjects = (asked: { workspace: Role | undefined; project: Role | undefined }): boolean =>
  asked.project !== undefined && reaches(asked.workspace, asked.project)

/** Where a client comes from, told by its id: no lookup, and no room for a mistake between the two. */
export const clientSource = (clientId: string): 'SETTINGS' | 'DYNAMIC' | 'METADATA_DOCUMENT' =>
  clientId.startsWith('https://')
    ? 'METADATA_DOCUMENT'
    : clientId.startsWith(dynamicPrefix)
      ? 'DYNAMIC'
      : 'SETTINGS'

/** Whether anybody can bring such a client, so that nobody here answers for its name and its addresses. */
export const isUnverifiedKind = (clientId: string): boolean => clientSource(clientId) !== 'SETTINGS'

/** How the id of a client that registers itself begins. */
export const dynamicPrefix = 'dyn_'

/**
 * Every scope of docs/api/contract.md, section 11, in the order people read them, in the words of the consent page.
 * `dangerous` ones are marked there.
 */
export const scopeTable = {
  openid: { sentence: 'Confirm who you are', dangerous: false },
  email: { sentence: 'See your email address', dangerous: false },
  profile: { sentence: 'See your name and picture', dangerous: false },
  offline_access: { sentence: 'Keep working while you’re away, until you remove it', dangerous: true },
  'workspace:admin': {
    sentence:
      'Fully control the workspaces you choose and their projects, including members and their email addresses, but never create tokens. Where you aren’t an admin, only what your role allows.',
    dangerous: true,
  },
  'workspace:member': {
    sentence: 'Read and write the workspaces you choose and their projects, and see the names of members',
    dangerous: false,
  },
  'workspace:viewer': {
    sentence: 'Read the workspaces you choose, their projects and the names of members',
    dangerous: false,
  },
  'project:admin': {
    sentence:
      'Fully control the projects you choose, but never create tokens. Where you aren’t an admin, only what your role allows.',
    dangerous: true,
  },
  'project:member': { sentence: 'Read and write the projects you choose', dangerous: false },
  'project:viewer': { sentence: 'Read the projects you choose', dangerous: false },
  notifications: { sentence: 'Read and manage your notifications', dangerous: false },
  ssh_keys: { sentence: 'Manage your SSH keys', dangerous: true },
} as const

export type Scope = keyof typeof scopeTable

/** `scopes_supported` of the discovery document. */
export const allScopes = Object.keys(scopeTable) as Scope[]

export const isScope = (value: string): value is Scope => Object.hasOwn(scopeTable, value)

export type ResourceType = 'workspace' | 'project'

const resourceTypes: ResourceType[] = ['workspace', 'project']

const levels: Role[] = ['ADMIN', 'MEMBER', 'VIEWER']

const scopesOf: Record<ResourceType, Record<Role, Scope>> = {
  workspace: { ADMIN: 'workspace:admin', MEMBER: 'workspace:member', VIEWER: 'workspace:viewer' },
  project: { ADMIN: 'project:admin', MEMBER: 'project:member', VIEWER: 'project:viewer' },
}

/** The scope that grants a role on a kind of resource, such as `project:member`. */
export const scopeFor = (resource: ResourceType, role: Role): Scope => scopesOf[resource][role]

/** The highest role that a set of scopes grants on a kind of resource; admin includes member includes viewer. */
export const roleFromScopes = (scopes: ReadonlySet<string>, resource: ResourceType): Role | undefined =>
  levels.find((role) => scopes.has(scopeFor(resource, role)))

/** The kind of resource that a scope is about; undefined for one about the person or the sign-in. */
export const resourceOf = (scope: string): ResourceType | undefined =>
  /^(workspace|project):/.exec(scope)?.[1] as ResourceType | undefined

/** Scopes with those that they include: admin includes member includes viewer. */
export function withIncluded(scopes: readonly string[]): string[] {
  const included = resourceTypes.flatMap((resource) => {
    const role = roleFromScopes(new Set(scopes), resource)
    return role ? levels.slice(levels.indexOf(role)).map((level) => scopeFor(resource, level)) : []
  })
  return [...new Set([...scopes, ...included])]
}

/**
 * What a token may do under its authorization as it is now: never more than either. Scopes about the person count where
 * both have them; of each kind of resource it is the lower of the two roles.
 * @param token the scopes it was issued with
 * @param authorization the scopes the person allows now
 * @returns in the order of the authorization's scopes
 */
export function scopesUnder(token: readonly string[], authorization: readonly string[]): string[] {
  const asked = new Set(token)
  const allowed = new Set(authorization)
  const wanted = new Set(asked)
  for (const resource of resourceTypes) {
    const role = capped(roleFromScopes(asked, resource), roleFromScopes(allowed, resource))
    if (role) wanted.add(scopeFor(resource, role))
  }
  return withIncluded(authorization).filter((scope) => wanted.has(scope))
}

/**
 * What of the scopes that an app asks for it may ask for at all; what is beyond is dropped, as an unknown scope is.
 * See ADR 0023.
 * @param allowed what its admins allow it, with what that includes; none of them where they allow everything
 */
export function askable<Name extends string>(asked: readonly Name[], allowed: readonly string[]): Name[] {
  const within = new Set(withIncluded(allowed))
  return allowed.length === 0 ? [...asked] : asked.filter((scope) => within.has(scope))
}

/**
 * What scopes that somebody gave an app are worth while its admins allow it so much: the lower of both, of each kind of resource.
 * @param allowed as `askable` takes it
 */
export const worthUnder = (given: readonly string[], allowed: readonly string[]): string[] =>
  allowed.length === 0 ? [...given] : scopesUnder(given, allowed)

/** Whether consent to these scopes asks the person to select workspaces, or projects. */
export const needsSelection = (scopes: Iterable<string>, resource: ResourceType): boolean =>
  roleFromScopes(new Set(scopes), resource) !== undefined
