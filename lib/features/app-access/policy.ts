import { z } from 'zod'
import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { AppPolicy } from '@/lib/generated/prisma/enums'
import type { Actor } from '@/lib/policy/actor'
import { type Admission, admissionOf } from '@/lib/policy/app-policy'
import { type SensitiveAction, workspaceActions } from '@/lib/policy/approvals'
import { lockWorkspace, lockWorkspaceRole } from '@/lib/policy/lock-role'
import type { WorkspaceRow } from '@/lib/policy/require'
import { type ResourceType, type Role, roleFromScopes, roleIncludes } from '@/lib/policy/scopes'
import { approveAllRequests } from './decide'
import { policyInput } from './input'
import { countUsersOf, type InstalledApp, listInstalled, requireDecider } from './list-installed'

/**
 * Sets which apps can access a workspace. Apps that the policy excludes lose access at their next request. To
 * list these apps in advance, call `previewPolicy`. Under the policy `OPEN`, apps need no approval, so open
 * requests for apps that are not blocked are marked as approved. If the policy is unchanged, nothing is
 * written.
 * @param input `policy`
 * @returns the updated workspace
 * @throws AppError BAD_USER_INPUT, and the errors of `requireDecider` and `lockWorkspaceRole`
 */
export async function setPolicy(actor: Actor, workspaceId: string, input: unknown): Promise<WorkspaceRow> {
  const { policy } = parseInput(policyInput, input)
  const workspace = await requireDecider(actor, workspaceId)
  const { id, appPolicy: before } = workspace
  if (before === policy) return workspace
  await prisma().$transaction(async (tx) => {
    await lockWorkspace(tx, id)
    await lockWorkspaceRole(tx, actor, 'workspace:decide-apps', id)
    await tx.workspace.update({ where: { id }, data: { appPolicy: policy } })
    await recordEvent(tx, actor, {
      action: 'workspace.app_policy_changed',
      resource: { type: 'workspace', id },
      workspaceId: id,
      details: { from: before, to: policy },
    })
    if (policy === 'OPEN') await approveAllRequests(tx, actor, id)
  })
  return { ...workspace, appPolicy: policy }
}

const names = workspaceActions as [SensitiveAction, ...SensitiveAction[]]

const requiredApprovalsInput = z.object({
  requiresApprovalFor: z
    .union([z.string().transform((text) => text.split(/\s+/).filter(Boolean)), z.array(z.string())])
    .pipe(z.array(z.enum(names, { error: 'Choose one of the listed values.' }))),
})

/**
 * Sets the actions for which apps need the user's approval in a workspace. Takes effect at each app's next
 * request.
 * @param input `requiresApprovalFor`: a list of actions, or their names separated by spaces. Empty for none.
 * @returns the updated workspace
 * @throws AppError BAD_USER_INPUT, and the errors of `requireDecider` and `lockWorkspaceRole`
 */
export async function setRequiredApprovals(
  actor: Actor,
  workspaceId: string,
  input: unknown,
): Promise<WorkspaceRow> {
  const chosen = new Set(parseInput(requiredApprovalsInput, input).requiresApprovalFor)
  const requiresApprovalFor = names.filter((name) => chosen.has(name))
  const workspace = await requireDecider(actor, workspaceId)
  const { id } = workspace
  await prisma().$transaction(async (tx) => {
    await lockWorkspace(tx, id)
    await lockWorkspaceRole(tx, actor, 'workspace:decide-apps', id)
    await tx.workspace.update({ where: { id }, data: { requiresApprovalFor } })
    await recordEvent(tx, actor, {
      action: 'workspace.required_approvals_changed',
      resource: { type: 'workspace', id },
      workspaceId: id,
      details: { from: workspace.requiresApprovalFor, to: requiresApprovalFor },
    })
  })
  return { ...workspace, requiresApprovalFor }
}

/**
 * The maximum number of apps in a workspace for which a policy change can be previewed. Above this number,
 * there is no preview. The preview reads all apps in one statement, because a statement that reads only one
 * page costs nearly as much.
 */
export const mostPreviewed = 5_000

const all = { limit: mostPreviewed, backward: false, after: null, before: null }

/**
 * Returns the effect of another policy: each app that would lose some or all access, with the number of its
 * users and the names of the first five.
 * @returns null if the workspace has more than `mostPreviewed` apps, because a partial preview would look
 * complete
 * @throws the errors of `requireDecider`
 */
export async function previewPolicy(
  actor: Actor,
  workspaceId: string,
  policy: AppPolicy,
): Promise<Loss[] | null> {
  const { rows, hasNextPage } = await listInstalled(actor, workspaceId, all)
  return hasNextPage ? null : rows.flatMap((app) => lossOf(app, workspaceId, policy) ?? [])
}

/**
 * Returns the number of users of the apps that would lose access that users authorized. Users of several such
 * apps are counted once. Returns 0 if `losses` is null.
 * @throws the errors of `requireDecider`
 */
export async function countUsersOfLosses(
  actor: Actor,
  workspaceId: string,
  losses: readonly Loss[] | null,
): Promise<number> {
  const { id } = await requireDecider(actor, workspaceId)
  const used = (losses ?? []).filter(({ users }) => users > 0).map((loss) => loss.id)
  return used.length === 0 ? 0 : ((await countUsersOf(id, used))[0]?.users ?? 0)
}

/** An app that would lose some or all access under a policy. */
export type Loss = Pick<InstalledApp, 'id' | 'place' | 'name' | 'users' | 'names'> & {
  loses: 'everything' | 'a part'
  /** Whether the app loses access as an installation. */
  installed: boolean
  /** Whether the app loses SSO-managed access. */
  managed: boolean
}

/**
 * What happens to one kind of access under another policy. `none` means that there was no access before.
 * `stays` means that no access is lost, `narrows` that some access is lost, and `closes` that all access is
 * lost.
 */
type Fate = 'none' | 'stays' | 'narrows' | 'closes'

/**
 * Returns what one app would lose under another policy. An app can get access from users, from the identity
 * provider, and from the admin who installs it. The app can lose each kind of access separately. For example,
 * an installation keeps its access if the new policy requires approval, because an installation needs no
 * separate approval.
 * @returns undefined if the app would lose no access. Users are counted and named only if the app would lose
 * access that they authorized.
 */
export function lossOf(
  app: Omit<InstalledApp, 'admission' | 'profile'>,
  workspaceId: string,
  policy: AppPolicy,
): Loss | undefined {
  const { id, place, name, users, names, managed, installation, runBy, transferring, decision } = app
  const fate = (allowed: readonly string[] | undefined, installed: boolean): Fate => {
    if (!allowed) return 'none'
    const judged = { clientId: id, workspaceId: transferring ? null : runBy?.id, installed }
    const under = (appPolicy: AppPolicy) =>
      admissionOf(judged, workspaceId, { appPolicy, appDecision: decision })
    return fateOf(under(app.appPolicy), under(policy), allowed)
  }
  const fates = {
    users: fate(users > 0 ? app.scopes : undefined, false),
    managed: fate(managed?.scopes, false),
    installed: fate(installation?.scopes, true),
  }
  const all = Object.values(fates)
  if (!all.some(isLoss)) return undefined
  return {
    id,
    place,
    name,
    ...(isLoss(fates.users) ? { users, names } : { users: 0, names: [] }),
    loses: all.some((one) => one === 'stays' || one === 'narrows') ? 'a part' : 'everything',
    managed: isLoss(fates.managed),
    installed: isLoss(fates.installed),
  }
}

const isLoss = (fate: Fate): boolean => fate === 'narrows' || fate === 'closes'

function fateOf(before: Admission, after: Admission, allowed: readonly string[]): Fate {
  if (after.kind === 'closed') return before.kind === 'closed' ? 'none' : 'closes'
  return before.kind === 'whole' && after.kind === 'within' && !covers(after, allowed) ? 'narrows' : 'stays'
}

/** Returns whether an approval covers all projects and all the authorized scopes. */
function covers(approval: Extract<Admission, { kind: 'within' }>, scopes: readonly string[]): boolean {
  const allowed = new Set(scopes)
  const enough = (role: Role | undefined, family: ResourceType) => {
    const used = roleFromScopes(allowed, family)
    return !used || roleIncludes(role, used)
  }
  const { workspaceRole, projectRole, projectIds } = approval
  return !projectIds && enough(workspaceRole, 'workspace') && enough(projectRole, 'project')
}
