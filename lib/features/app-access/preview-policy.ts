import type { AppPolicy } from '@/lib/generated/prisma/enums'
import type { Actor } from '@/lib/policy/actor'
import { type Admission, admissionOf } from '@/lib/policy/admission'
import { type Role, reaches } from '@/lib/policy/roles'
import { type ResourceType, roleFromScopes } from '@/lib/policy/scopes'
import { everyInstalled, type InstalledApp } from './list-installed'

/** An app that a policy would keep out, or let in less far than now. */
export type Loss = Pick<InstalledApp, 'id' | 'place' | 'name' | 'people' | 'names'> & {
  loses: 'everything' | 'a part'
  /** It loses what it was installed for, too. */
  installed: boolean
  /** It loses what the workspace's identity provider sends it for, too. */
  managed: boolean
}

/**
 * What another policy would take away: each app that comes in now and would come in less far, with its people.
 * @throws AppError as `requireDecider`
 */
export async function previewPolicy(actor: Actor, workspaceId: string, policy: AppPolicy): Promise<Loss[]> {
  const rows = await everyInstalled(actor, workspaceId)
  return rows.flatMap(
    ({ id, place, name, people, names, scopes, runBy, decision, admission, ...app }): Loss[] => {
      const { installation, managed } = app
      const acts = people > 0 || managed !== null
      const loss = { id, place, name, people, names, managed: managed !== null }
      const judged = { clientId: id, workspaceId: runBy?.id }
      const rules = { appPolicy: policy, appDecision: decision }
      const after = admissionOf(judged, workspaceId, rules)
      const kept =
        installation && admissionOf({ ...judged, installed: true }, workspaceId, rules).kind !== 'closed'
      const installed = installation !== null && !kept
      if ((!acts && !installation) || admission.kind === 'closed') return []
      if (!acts) return installed ? [{ ...loss, installed, loses: 'everything' }] : []
      if (after.kind === 'closed') {
        return [{ ...loss, installed, loses: kept ? 'a part' : 'everything' }]
      }
      const allowed = [...scopes, ...(managed?.scopes ?? [])]
      const loses = admission.kind === 'whole' && after.kind === 'within' && !covers(after, allowed)
      return loses ? [{ ...loss, installed, loses: 'a part' }] : []
    },
  )
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
