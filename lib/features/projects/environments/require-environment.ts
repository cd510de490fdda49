import { statement } from '@/lib/base/db/statement'
import type { Environment } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireApproval } from '@/lib/policy/approvals'
import { authorizeProject, refusedEnvironment } from '@/lib/policy/authorize'
import type { ProjectPermission } from '@/lib/policy/permissions'
import { clientIdOf, isId, type ProjectRow, projectColumns, rightsOf } from '@/lib/policy/require'
import { authorizeTwoFactor } from '@/lib/policy/two-factor'
import { roleInProject, roleInWorkspace } from '@/lib/policy/visible'

type Row = ProjectRow & {
  environmentId: string
  environmentName: string
  revision: number
  made: Date
  changed: Date
  requireTwoFactor: boolean
}

const find = statement<Row, [userId: string | null, id: string, clientId: string | null]>(
  'require-environment',
  `SELECT ${projectColumns('$3')}, e.id AS "environmentId", e.name AS "environmentName", e.revision, e.created_at AS made,
          e.updated_at AS changed, w.require_two_factor AS "requireTwoFactor"
     FROM environments e
     JOIN projects p ON p.id = e.project_id
     JOIN workspaces w ON w.id = p.workspace_id
     ${roleInWorkspace()} ${roleInProject()}
    WHERE e.id = $2`,
)

/**
 * Loads an environment and requires a permission on its project. One statement.
 * @returns the environment, and the project with the person's roles
 * @throws AppError as `authorizeProject`, `authorizeTwoFactor` and `requireApproval`; NOT_FOUND names the environment; RESOURCE_NOT_SHARED for a
 *   token of another environment
 */
export async function requireEnvironment(
  actor: Actor,
  permission: ProjectPermission,
  id: string,
): Promise<{ environment: Environment; project: ProjectRow }> {
  const [row] = isId(id) ? await find(actor.userId, id, clientIdOf(actor)) : []
  authorizeProject(actor, permission, row?.id ?? id, row && rightsOf(row), { type: 'environment', id })
  const { environmentId, environmentName, revision, made, changed, requireTwoFactor, ...project } = row as Row
  authorizeTwoFactor(actor, { requireTwoFactor })
  const refused = refusedEnvironment(actor, environmentId)
  if (refused) throw refused
  await requireApproval(actor, permission, { type: 'environment', id: environmentId }, project)
  const environment = {
    id: environmentId,
    projectId: project.id,
    name: environmentName,
    revision,
    createdAt: made,
    updatedAt: changed,
  }
  return { environment, project }
}
