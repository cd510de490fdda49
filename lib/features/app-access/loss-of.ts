import type { AppPolicy } from '@/lib/generated/prisma/enums'
import { type Admission, admissionOf } from '@/lib/policy/app-policy'
import { type ResourceType, type Role, reaches, roleFromScopes } from '@/lib/policy/scopes'
import type { InstalledApp } from './list-installed'

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
 * What one app would lose under another policy. People, the company's provider and an admin who installed it let it in each
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
    return !used || reaches(role, used)
  }
  const { workspaceRole, projectRole, projectIds } = approval
  return !projectIds && enough(workspaceRole, 'workspace') && enough(projectRole, 'project')
}
