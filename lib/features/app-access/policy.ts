import { z } from 'zod'
import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { AppPolicy } from '@/lib/generated/prisma/enums'
import type { Actor } from '@/lib/policy/actor'
import { type Admission, admissionOf } from '@/lib/policy/app-policy'
import { type SensitiveAction, workspaceActions } from '@/lib/policy/approvals'
import { holdWorkspace, lockWorkspace } from '@/lib/policy/hold'
import type { WorkspaceRow } from '@/lib/policy/require'
import { type ResourceType, type Role, roleFromScopes, roleIncludes } from '@/lib/policy/scopes'
import { policyInput } from './input'
import { type InstalledApp, listInstalled, requireDecider } from './list-installed'

/**
 * Sets which apps a workspace lets in. What the new policy excludes is cut off at its next request; `previewPolicy` says
 * beforehand what that is.
 * @param input `policy`
 * @returns the workspace as it is then
 * @throws AppError BAD_USER_INPUT, and as `requireDecider`
 */
export async function setPolicy(actor: Actor, workspaceId: string, input: unknown): Promise<WorkspaceRow> {
  const { policy } = parseInput(policyInput, input)
  const workspace = await requireDecider(actor, workspaceId)
  const { id, appPolicy: before } = workspace
  if (before === policy) return workspace
  await prisma().$transaction(async (tx) => {
    await lockWorkspace(tx, id)
    await holdWorkspace(tx, actor, 'workspace:decide-apps', id)
    await tx.workspace.update({ where: { id }, data: { appPolicy: policy } })
    await recordEvent(tx, actor, {
      action: 'workspace.app_policy_changed',
      resource: { type: 'workspace', id },
      workspaceId: id,
      details: { from: before, to: policy },
    })
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
 * Sets the actions for which apps need the user's approval in a workspace, from their next request on.
 * @param input `requiresApprovalFor`: a list, or names separated by spaces; empty for none
 * @throws AppError BAD_USER_INPUT, and as `requireDecider`
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
    await holdWorkspace(tx, actor, 'workspace:decide-apps', id)
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

/** The apps of one workspace that a preview looks at: it reads them all in one statement, as a page of them costs nearly as much. */
export const mostPreviewed = 5_000

const all = { limit: mostPreviewed, backward: false, after: null, before: null }

/**
 * What another policy would take away: each app that comes in now and would come in less far, with its people.
 * @returns null where the workspace has more than `mostPreviewed` apps: a part of them would look like all
 * @throws AppError as `requireDecider`
 */
export async function previewPolicy(
  actor: Actor,
  workspaceId: string,
  policy: AppPolicy,
): Promise<Loss[] | null> {
  const { rows, hasNextPage } = await listInstalled(actor, workspaceId, all)
  return hasNextPage ? null : rows.flatMap((app) => lossOf(app, workspaceId, policy) ?? [])
}

/** An app that a policy would keep out, or let in less far than now. */
export type Loss = Pick<InstalledApp, 'id' | 'place' | 'name' | 'people' | 'names'> & {
  loses: 'everything' | 'a part'
  /** It loses what it was installed for. */
  installed: boolean
  /** It loses what the workspace's identity provider sends it for. */
  managed: boolean
}

/** What becomes of one way in: it is not there, or not open; it stays, for all it is for; it gets narrower; or it closes. */
type Fate = 'none' | 'stays' | 'narrows' | 'closes'

/**
 * What one app would lose under another policy. People, the identity provider and an admin who installed it let it in each
 * for themselves, and it may lose each alone: where approvals are asked for, what was installed goes on without one.
 * @returns undefined where nothing that is open would close or get narrower; people are named where it loses what they allow
 */
export function lossOf(
  app: Omit<InstalledApp, 'admission' | 'profile'>,
  workspaceId: string,
  policy: AppPolicy,
): Loss | undefined {
  const { id, place, name, people, names, managed, installation, runBy, transferring, decision } = app
  const fate = (allowed: readonly string[] | undefined, installed: boolean): Fate => {
    if (!allowed) return 'none'
    const judged = { clientId: id, workspaceId: transferring ? null : runBy?.id, installed }
    const under = (appPolicy: AppPolicy) =>
      admissionOf(judged, workspaceId, { appPolicy, appDecision: decision })
    return fateOf(under(app.appPolicy), under(policy), allowed)
  }
  const fates = {
    people: fate(people > 0 ? app.scopes : undefined, false),
    managed: fate(managed?.scopes, false),
    installed: fate(installation?.scopes, true),
  }
  const all = Object.values(fates)
  if (!all.some(isLoss)) return undefined
  return {
    id,
    place,
    name,
    ...(isLoss(fates.people) ? { people, names } : { people: 0, names: [] }),
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

/** Whether an approval bounds nothing of what was allowed. */
function covers(approval: Extract<Admission, { kind: 'within' }>, scopes: readonly string[]): boolean {
  const allowed = new Set(scopes)
  const enough = (role: Role | undefined, family: ResourceType) => {
    const used = roleFromScopes(allowed, family)
    return !used || roleIncludes(role, used)
  }
  const { workspaceRole, projectRole, projectIds } = approval
  return !projectIds && enough(workspaceRole, 'workspace') && enough(projectRole, 'project')
}
