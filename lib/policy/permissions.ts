import { type ResourceType, type Role, reaches, type Scope } from './scopes'

/**
 * What can be done to a workspace or a project, and the role it takes there. The one place to look up or change a right.
 * A product team adds its noun as a row here (docs/develop/extending.md). `inEnvironment` is what a token for one environment may do
 * as well: what is not about other environments, or what is decided for each environment.
 * See ADR 0021.
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

/** The roles that carry a permission, for statements that filter by it. */
export const rolesWith = (permission: Permission): Role[] =>
  (['VIEWER', 'MEMBER', 'ADMIN'] as const).filter((role) => reaches(role, permissions[permission].role))

/** Whether a role carries a permission; no role carries none. */
export const allows = (role: Role | null | undefined, permission: Permission): boolean =>
  reaches(role ?? undefined, permissions[permission].role)

/**
 * A tool that agents find at `/mcp`: one operation of the GraphQL API under a verb. Rights, limits, input errors and the
 * audit log are therefore those of the API, and no tool can do what the API cannot.
 * Each feature lists its own in `tools.ts`; lib/edges/mcp makes the schemas of input and output out of the operation.
 * See ADR 0032.
 */
export type AgentTool = {
  /** A verb and a noun: `list_projects`. */
  name: string
  /** The same for people, in a few words. */
  title: string
  /** When to use it, for the model: one or two sentences. */
  description: string
  /** The operation. Its variables are the input, what it selects is the output. */
  operation: string
  /** What it takes of an app: the permission or scope that the operation asks for first; absent where every token may. */
  takes?: Permission | Scope
  /** It deletes, or cuts somebody off. */
  destructive?: true
  /** To call it twice with the same input changes no more than once. */
  idempotent?: true
}
