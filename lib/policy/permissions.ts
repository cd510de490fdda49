import { type ResourceType, type Role, roleIncludes, type Scope } from './scopes'

/**
 * The permissions on workspaces and projects, and the role that each one requires. A product team adds rows
 * for its own resources (docs/develop/extending.md). A token for one environment has only the permissions
 * with `inEnvironment`. Each of these permissions either does not affect other environments or is checked for
 * each environment. See ADR 0017.
 */
export const permissions = {
  'workspace:read': { on: 'workspace', role: 'VIEWER' },
  'workspace:update': { on: 'workspace', role: 'ADMIN' },
  'workspace:delete': { on: 'workspace', role: 'ADMIN' },
  'workspace:read-members': { on: 'workspace', role: 'VIEWER' },
  'workspace:manage-members': { on: 'workspace', role: 'ADMIN' },
  'workspace:manage-apps': { on: 'workspace', role: 'ADMIN' },
  'workspace:manage-secrets': { on: 'workspace', role: 'ADMIN' },
  'workspace:decide-apps': { on: 'workspace', role: 'ADMIN' },
  'workspace:manage-tokens': { on: 'workspace', role: 'ADMIN' },
  'workspace:manage-webhooks': { on: 'workspace', role: 'ADMIN' },
  'workspace:read-audit': { on: 'workspace', role: 'ADMIN' },
  'workspace:stream-audit': { on: 'workspace', role: 'ADMIN' },
  'workspace:create-project': { on: 'workspace', role: 'MEMBER' },
  'workspace:transfer-projects': { on: 'workspace', role: 'ADMIN' },
  'workspace:restore-projects': { on: 'workspace', role: 'ADMIN' },
  'project:read': { on: 'project', role: 'VIEWER', inEnvironment: true },
  'project:read-members': { on: 'project', role: 'VIEWER' },
  'project:update': { on: 'project', role: 'MEMBER' },
  'project:delete': { on: 'project', role: 'ADMIN' },
  'project:transfer': { on: 'project', role: 'ADMIN' },
  'project:read-values': { on: 'project', role: 'MEMBER', inEnvironment: true },
  'project:write-variables': { on: 'project', role: 'MEMBER', inEnvironment: true },
  'project:manage-environments': { on: 'project', role: 'MEMBER' },
  'project:manage-members': { on: 'project', role: 'ADMIN' },
  'project:manage-tokens': { on: 'project', role: 'ADMIN' },
} as const satisfies Record<string, { on: ResourceType; role: Role; inEnvironment?: true }>

export type Permission = keyof typeof permissions
export type WorkspacePermission = Extract<Permission, `workspace:${string}`>
export type ProjectPermission = Extract<Permission, `project:${string}`>

/** Returns the roles that have a permission, for statements that filter by role. */
export const rolesWith = (permission: Permission): Role[] =>
  (['VIEWER', 'MEMBER', 'ADMIN'] as const).filter((role) => roleIncludes(role, permissions[permission].role))

/** Returns whether a role has a permission, or false if there is no role. */
export const allows = (role: Role | null | undefined, permission: Permission): boolean =>
  roleIncludes(role ?? undefined, permissions[permission].role)

/**
 * A tool at `/mcp`. It runs one operation of the GraphQL API, so the API's permissions, limits, input errors,
 * and audit log apply. Each feature lists its tools in `tools.ts`, and lib/edges/mcp derives the input and
 * output schemas from the operation. See ADR 0025.
 */
export type AgentTool = {
  /** A verb and a noun, such as `list_projects`. */
  name: string
  /** A short title for users. */
  title: string
  /** When a model should use the tool, in one or two sentences. */
  description: string
  /** The operation. Its variables are the tool's input, and its selection is the output. */
  operation: string
  /** The permission or scope that an app needs. Undefined if every token can call the tool. */
  takes?: Permission | Scope
  /** Whether the tool can remove data or reduce access. */
  destructive?: true
  /** Whether a second call with the same input changes nothing. */
  idempotent?: true
}
