import { membersOfWorkspace } from '@/lib/features/workspaces/list-members'
import {
  outsidersRoleInProject,
  reachedWorkspaceIds,
  roleInWorkspace,
  visibleProject,
  workspaceById,
} from '@/lib/policy/visible'

/** What can be found by its name; of things whose names match alike, those of the first kind come first. */
export const kinds = [
  'WORKSPACE',
  'PROJECT',
  'ENVIRONMENT',
  'OAUTH_APP',
  'MEMBER',
  'API_TOKEN',
  'WEBHOOK',
  'VARIABLE',
] as const

export type Kind = (typeof kinds)[number]

/** SQL: the columns of a thing in the workspace `w`. `path` is the names of what it lies in; `projectId` and `environmentId` are ids. */
const thing = (
  kind: Kind,
  row: { id: string; name: string; path?: string; projectId?: string; environmentId?: string },
): string =>
  `SELECT ${kinds.indexOf(kind)} AS kind, ${row.id}::text AS id, ${row.name} AS name, ${row.path ?? 'w.name'} AS path,
          w.id AS workspace_id, ${row.projectId ?? 'NULL'}::uuid AS project_id, ${row.environmentId ?? 'NULL'}::uuid AS environment_id`

/** SQL: the workspaces `w` of an array of ids. */
const workspacesOf = (ids: string): string =>
  `FROM unnest(${ids}::uuid[]) AS asked(id) ${workspaceById('asked.id')}`

const inProject = `w.name || ' / ' || p.name`

/**
 * SQL: everything with a name that a caller reaches, as the table `things`. It takes `projectValues` as its first values, the one
 * environment that is reached as $7, or null, the workspaces whose people are seen as $8, and those whose apps, tokens and
 * webhooks are managed as $9, $10 and $11. What a project holds is looked for in the projects that are seen.
 */
export const namedThings = `WITH p AS MATERIALIZED (
    SELECT seen.*
      FROM ${reachedWorkspaceIds} AS known ${workspaceById('known.id')} ${roleInWorkspace()}
     CROSS JOIN LATERAL (
       SELECT p.id, p.name, p.workspace_id
         FROM projects p ${outsidersRoleInProject} WHERE p.workspace_id = w.id AND ${visibleProject} OFFSET 0) seen),
  e AS MATERIALIZED (
    SELECT e.id, e.name, e.project_id FROM p JOIN environments e ON e.project_id = p.id WHERE $7::uuid IS NULL OR e.id = $7),
  things AS (
    ${thing('WORKSPACE', { id: 'w.id', name: 'w.name', path: `''` })} ${workspacesOf('$8')}
    UNION ALL ${thing('PROJECT', { id: 'p.id', name: 'p.name', projectId: 'p.id' })}
      FROM p ${workspaceById('p.workspace_id')}
    UNION ALL ${thing('ENVIRONMENT', { id: 'e.id', name: 'e.name', path: inProject, projectId: 'p.id', environmentId: 'e.id' })}
      FROM e JOIN p ON p.id = e.project_id ${workspaceById('p.workspace_id')}
    UNION ALL ${thing('VARIABLE', { id: 'v.id', name: 'v.name', path: `${inProject} || ' / ' || e.name`, projectId: 'p.id', environmentId: 'e.id' })}
      FROM variables v JOIN e ON e.id = v.environment_id JOIN p ON p.id = e.project_id ${workspaceById('p.workspace_id')}
    UNION ALL ${thing('MEMBER', { id: 'u.id', name: 'u.name' })} ${workspacesOf('$8')}
      ${membersOfWorkspace}
    UNION ALL ${thing('OAUTH_APP', { id: 'c.id', name: 'c.name' })} ${workspacesOf('$9')}
      JOIN oauth_clients c ON c.workspace_id = w.id
    UNION ALL ${thing('API_TOKEN', { id: 't.id', name: 't.name' })} ${workspacesOf('$10')}
      JOIN api_tokens t ON t.workspace_id = w.id
    UNION ALL ${thing('API_TOKEN', { id: 't.id', name: 't.name', path: `w.name || ' / ' || o.name`, projectId: 'o.id', environmentId: 't.environment_id' })}
      ${workspacesOf('$10')} JOIN projects o ON o.workspace_id = w.id JOIN api_tokens t ON t.project_id = o.id
    UNION ALL ${thing('WEBHOOK', { id: 'h.id', name: 'h.url' })} ${workspacesOf('$11')} JOIN webhooks h ON h.workspace_id = w.id)`
