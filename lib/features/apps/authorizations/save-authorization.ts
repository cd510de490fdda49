import { z } from 'zod'
import { idAt } from '@/lib/base/db/paging'
import { type Db, inTransaction, isId } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { admittedToProject, admittedToWorkspace, type JudgedApp } from '@/lib/policy/app-policy'
import { allowedTo, requireAuthorizable } from '@/lib/policy/app-status'
import { authorizeAccount } from '@/lib/policy/authorize'
import { holdSession, lockUser } from '@/lib/policy/lock-role'
import { isScope, limitScopes, needsSelection, requestableScopes, resourceOf } from '@/lib/policy/scopes'
import { visibleProjects, visibleWorkspaces } from '@/lib/policy/visible'
import {
  allowedApis,
  apisOfScopes,
  changeApiSelections,
  changedPart,
  equivalentScopes,
  grantedApis,
  saveApiGrants,
  scopeNames,
  selectShared,
  wholeSelection,
} from './api-grants'
import { unknownAuthorization } from './list-authorizations'
import { loadAdmissions } from './selectable'

const ids = z.array(z.uuid('Enter a valid ID.')).max(1000, 'Select up to 1,000 entries.').default([])

/** The schema for the workspaces and projects that a user shares with an app. */
const selectionInput = z.object({ workspaceIds: ids, projectIds: ids })

/** The schema for a change to an existing selection. A page also sends the scopes that it showed. */
const changedSelectionInput = selectionInput.extend({ shownScopes: z.array(z.string()).optional() })

/**
 * The schema for a user's consent: the app, the requested scopes, and the selection. Unknown scopes are
 * dropped.
 */
const authorizationInput = selectionInput.extend({
  clientId: z.string().min(1),
  scopes: z.array(z.string()).transform((scopes) => scopes.filter(isScope)),
  /** The scopes of APIs outside this instance. */
  apiScopes: z.array(z.string()).max(200).default([]),
})

export type Selection = z.output<typeof selectionInput>

/**
 * Returns the scopes of an authorization after a user consented to a request. For each requested kind of
 * resource (workspaces, projects), the request replaces the earlier scopes together with the selection.
 * Otherwise, an earlier scope could extend to a new selection, or a new scope to an earlier selection. For a
 * kind that the request does not include, the scopes and the selection remain. Scopes that are not for
 * workspaces or projects always remain. See ADR 0018.
 * @param asked the scopes of the request
 * @param earlier the scopes before the consent
 */
export const scopesAfterConsent = (asked: readonly string[], earlier: readonly string[]): string[] => {
  const kept = earlier.filter((scope) => {
    const resource = resourceOf(scope)
    return !resource || !needsSelection(asked, resource)
  })
  return [...new Set([...kept, ...asked])]
}

/**
 * Checks a user's selection for an app. A user can share only workspaces and projects that the user can see.
 * If the scopes require workspaces or projects, at least one workspace or project must be selected, because
 * an empty selection never means access to everything. Workspaces and projects that the app policy does not
 * allow the app to access cannot be selected.
 * @param scopes the scopes that the selection is for. A kind of resource that no scope requires is removed
 * from the selection.
 * @returns the selection without duplicates
 * @throws AppError BAD_USER_INPUT on `selection` if a required selection is empty, NOT_FOUND for resources
 * that the user cannot see, APP_NOT_APPROVED for resources that the app policy does not allow the app to
 * access
 */
export async function checkSelection(
  db: Db,
  actor: Actor,
  app: JudgedApp,
  scopes: readonly string[],
  selection: Selection,
): Promise<Selection> {
  const asksWorkspaces = needsSelection(scopes, 'workspace')
  const asksProjects = needsSelection(scopes, 'project')
  const workspaceIds = asksWorkspaces ? [...new Set(selection.workspaceIds)] : []
  const projectIds = asksProjects ? [...new Set(selection.projectIds)] : []
  if ((asksWorkspaces || asksProjects) && workspaceIds.length + projectIds.length === 0) {
    const what =
      asksWorkspaces && asksProjects ? 'workspace or project' : asksWorkspaces ? 'workspace' : 'project'
    throw new AppError('BAD_USER_INPUT', `Select at least one ${what}.`, { field: 'selection' })
  }
  const [workspaces, projects] = await Promise.all([
    workspaceIds.length === 0
      ? 0
      : db.workspace.count({ where: { AND: [visibleWorkspaces(actor), { id: { in: workspaceIds } }] } }),
    projectIds.length === 0
      ? []
      : db.project.findMany({
          where: { AND: [visibleProjects(actor), { id: { in: projectIds } }] },
          select: { id: true, workspaceId: true },
        }),
  ])
  if (workspaces !== workspaceIds.length || projects.length !== projectIds.length) {
    throw new AppError(
      'NOT_FOUND',
      'A selected resource no longer exists, or you lost access to it. Change your selection.',
    )
  }
  const admits = await loadAdmissions(
    db,
    [app],
    [...workspaceIds, ...projects.map((each) => each.workspaceId)],
  )
  const open =
    workspaceIds.every((id) => admittedToWorkspace(admits(app, id))) &&
    projects.every(({ id, workspaceId }) => admittedToProject(admits(app, workspaceId), id))
  if (!open) {
    throw new AppError(
      'APP_NOT_APPROVED',
      'A selected workspace doesn’t allow this app. Remove it from your selection.',
    )
  }
  return { workspaceIds, projectIds }
}

const chosenOf = ({ workspaceIds, projectIds }: Selection): Selection => ({ workspaceIds, projectIds })

/** Returns all workspaces and projects in a stored authorization, including those in its API grants. */
const storedSelection = async (tx: Db, id: string): Promise<Selection> =>
  wholeSelection(await tx.authorization.findUniqueOrThrow({ where: { id }, select: selectShared }))

/**
 * Stores a user's authorization of an app in one row per user and app, and the access to APIs in one row per
 * API. The stored scopes are those that the consent page showed (`scopesAfterConsent`). Scopes that the app
 * is no longer allowed to request are dropped. For each requested kind (workspaces, projects), the scopes and
 * the selection are replaced together. The scopes and selections of other kinds remain. See ADR 0018.
 * @param input `clientId`, `scopes`, `apiScopes`, `workspaceIds`, `projectIds`
 * @returns the ID of the authorization
 * @throws AppError BAD_USER_INPUT, APP_AWAITING_APPROVAL, APP_IN_DEVELOPMENT, and the errors of
 * `checkSelection`
 */
export async function saveAuthorization(actor: SessionActor, input: unknown): Promise<{ id: string }> {
  const { clientId, scopes: asked, apiScopes, ...chosen } = parseInput(authorizationInput, input)
  const askedApis = apiScopes.length === 0 ? [] : await apisOfScopes(apiScopes)
  const key = { userId_clientId: { userId: actor.userId, clientId } }
  return inTransaction(async (tx) => {
    // Lock the user, so that the user's consents and selection changes run one after another. If they ran
    // concurrently, one change could restore data that another change has replaced.
    await lockUser(tx, actor.userId)
    await holdSession(tx, actor)
    const client = await tx.oAuthClient.findUnique({
      where: { id: clientId },
      select: {
        workspaceId: true,
        firstAuthorizedAt: true,
        inDevelopment: true,
        awaitingApproval: true,
        allowedScopes: true,
      },
    })
    await requireAuthorizable(tx, client, actor.userId)
    const mayAsk = allowedTo(clientId, client?.allowedScopes)
    const scopes = requestableScopes(asked, mayAsk)
    const app = { clientId, workspaceId: client?.workspaceId }
    const apis = allowedApis(askedApis, mayAsk)
    const selecting = [...scopes, ...equivalentScopes(apis)]
    const selection = await checkSelection(tx, actor, app, selecting, chosen)
    const earlier = await tx.authorization.findUnique({ where: key })
    const data = {
      scopes: scopesAfterConsent(scopes, limitScopes(earlier?.scopes ?? [], mayAsk)),
      workspaceIds: needsSelection(scopes, 'workspace')
        ? selection.workspaceIds
        : (earlier?.workspaceIds ?? []),
      projectIds: needsSelection(scopes, 'project') ? selection.projectIds : (earlier?.projectIds ?? []),
    }
    const id = await store(tx, actor.userId, clientId, data)
    await saveApiGrants(tx, id, apis, selection)
    if (!client?.firstAuthorizedAt) {
      await tx.oAuthClient.updateMany({
        where: { id: clientId, firstAuthorizedAt: null },
        data: { firstAuthorizedAt: new Date() },
      })
    }
    await recordEvent(tx, actor, {
      action: earlier ? 'authorization.updated' : 'authorization.granted',
      resource: { type: 'authorization', id },
      details: {
        clientId,
        scopes: [...data.scopes, ...scopeNames(apis)],
        ...(apis.length === 0 ? chosenOf(data) : await storedSelection(tx, id)),
      },
    })
    return { id }
  })
}

/**
 * Creates an authorization's row, or updates the row if the user has authorized the app before. Uses a
 * prepared statement, because Prisma would recompile an upsert for each length of its lists.
 * @returns the row's ID
 */
async function store(
  tx: Db,
  userId: string,
  clientId: string,
  { scopes, workspaceIds, projectIds }: Selection & { scopes: string[] },
): Promise<string> {
  const now = new Date()
  const [row] = await tx.$queryRaw<[{ id: string }]>`
    INSERT INTO authorizations (id, user_id, client_id, scopes, workspace_ids, project_ids, created_at, updated_at)
    VALUES (${idAt(now)}::uuid, ${userId}::uuid, ${clientId}, ${scopes}, ${workspaceIds}::uuid[], ${projectIds}::uuid[],
            ${now}, ${now})
    ON CONFLICT (user_id, client_id) DO UPDATE
       SET scopes = excluded.scopes, workspace_ids = excluded.workspace_ids, project_ids = excluded.project_ids,
           updated_at = excluded.updated_at
    RETURNING id`
  return row.id
}

/**
 * Changes the workspaces and projects that an app can access. The change takes effect at the app's next
 * request.
 * @param input `workspaceIds`, `projectIds`, and optionally `shownScopes` (the scopes that the page showed)
 * @throws AppError FORBIDDEN for tokens without access to the account, BAD_USER_INPUT, NOT_FOUND for an
 * authorization that does not exist or belongs to another user, CONFLICT if the app's scopes differ from
 * `shownScopes`, and the errors of `checkSelection`
 */
export async function updateSelection(actor: Actor, id: string, input: unknown): Promise<void> {
  authorizeAccount(actor)
  const { shownScopes, ...chosen } = parseInput(changedSelectionInput, input)
  await inTransaction(async (tx) => {
    await lockUser(tx, actor.userId)
    const found = isId(id)
      ? await tx.authorization.findFirst({
          where: { id, userId: actor.userId },
          include: { client: { select: { workspaceId: true, allowedScopes: true } }, apiGrants: true },
        })
      : undefined
    if (!found) throw unknownAuthorization()
    const allowed = allowedTo(found.clientId, found.client.allowedScopes)
    const scopes = limitScopes(found.scopes, allowed)
    const apis = await grantedApis(found.apiGrants, allowed)
    if (shownScopes && shownScopes.join() !== [...scopes, ...scopeNames(apis)].join()) {
      throw new AppError('CONFLICT', 'This app’s permissions changed. Reload and try again.')
    }
    const app = { clientId: found.clientId, workspaceId: found.client.workspaceId }
    const judgedBy = [...scopes, ...equivalentScopes(apis)]
    const selection = await checkSelection(tx, actor, app, judgedBy, chosen)
    const shown = wholeSelection(found)
    const own = (kind: 'workspaceIds' | 'projectIds') =>
      needsSelection(scopes, kind === 'workspaceIds' ? 'workspace' : 'project')
        ? changedPart(found[kind], shown[kind], selection[kind])
        : []
    await tx.authorization.update({
      where: { id },
      data: { workspaceIds: own('workspaceIds'), projectIds: own('projectIds') },
    })
    await changeApiSelections(tx, id, found.apiGrants, apis, { shown, chosen: selection })
    await recordEvent(tx, actor, {
      action: 'authorization.updated',
      resource: { type: 'authorization', id },
      details: { clientId: found.clientId, ...selection },
    })
  })
}
