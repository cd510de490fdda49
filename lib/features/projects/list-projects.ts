import { inOrderOf } from '@/lib/base/db/in-order-of'
import { cutPage, lowestId, type Page, type Slice } from '@/lib/base/db/keyset'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { type AppRules, appRulesColumns } from '@/lib/policy/app-policy'
import { authorizeEmptyProjectList } from '@/lib/policy/authorize'
import { clientIdOf, isId, type ProjectRow } from '@/lib/policy/require'
import type { Role } from '@/lib/policy/scopes'
import { authorizeTwoFactor } from '@/lib/policy/two-factor'
import { knownWorkspaceIds, roleInWorkspace } from '@/lib/policy/visible'
import { pageOfProjects } from './page-of-projects'

const findInMany = pageOfProjects<[ids: readonly string[], most: number | null]>(
  'list-projects',
  'unnest($10::uuid[])',
  '$11',
)

/** By itself, so that PostgreSQL can plan for one workspace once and for all. */
const findInOne = pageOfProjects<[id: string]>('list-workspace-projects', '(SELECT $10::uuid)', '$9')

/**
 * One page of the projects an actor sees in each of several workspaces, oldest first. One statement for all of them.
 * @param most rows of all workspaces together; where that cuts a page short, the caller refuses the whole
 * @returns for each workspace, in order, its page
 * @throws AppError INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope
 */
export async function listProjects(
  actor: Actor,
  workspaceIds: readonly string[],
  page: Page,
  most: number | null = null,
): Promise<Slice<ProjectRow>[]> {
  const rows = await findInMany(actor, page, workspaceIds, most)
  return inOrderOf(workspaceIds, rows, (row) => row.workspaceId).map((read) => cutPage(page, read))
}

const findStanding = statement<
  AppRules & { role: Role | null; anyProject: boolean; requireTwoFactor: boolean },
  [userId: string | null, id: string, clientId: string | null]
>(
  'list-projects-standing',
  `SELECT wm.role, w.require_two_factor AS "requireTwoFactor", w.id IN ${knownWorkspaceIds} AS "anyProject",
          ${appRulesColumns('$3')}
     FROM workspaces w ${roleInWorkspace()} WHERE w.id = $2`,
)

/**
 * One page of the projects an actor sees in one workspace, which they must know of: someone from outside sees the
 * projects they have a role in, an app those that were selected.
 * @throws AppError INSUFFICIENT_SCOPE, NOT_FOUND, RESOURCE_NOT_SHARED, APP_NOT_APPROVED, and as `authorizeTwoFactor`
 */
export async function listWorkspaceProjects(
  actor: Actor,
  workspaceId: string,
  page: Page,
): Promise<Slice<ProjectRow>> {
  const id = isId(workspaceId) ? workspaceId.toLowerCase() : lowestId
  const slice = cutPage(page, await findInOne(actor, page, id))
  if (slice.rows.length > 0) return slice
  // A page past the end of a list is empty too; only when the list itself is empty it matters why.
  if ((await findInOne(actor, firstRow, id)).length === 0) {
    const [standing] = await findStanding(actor.userId, id, clientIdOf(actor))
    authorizeEmptyProjectList(
      actor,
      workspaceId,
      standing && { ...standing, id, workspaceRole: standing.role ?? undefined },
    )
    if (standing) authorizeTwoFactor(actor, standing)
  }
  return slice
}

const firstRow: Page = { limit: 1, backward: false, after: null, before: null }
