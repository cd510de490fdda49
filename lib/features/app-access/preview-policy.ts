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
}

/**
 * What another policy would take away: each app that people let in now and that would come in less far, with its people.
 * @throws AppError as `requireDecider`
 */
export async function previewPolicy(actor: Actor, workspaceId: string, policy: AppPolicy): Promise<Loss[]> {
  const rows = await everyInstalled(actor, workspaceId)
  return rows.flatMap(
    ({ id, place, name, people, names, scopes, runBy, decision, admission, installation }): Loss[] => {
      const app = { id, place, name, people, names }
      const judged = { clientId: id, workspaceId: runBy?.id }
      const rules = { appPolicy: policy, appDecision: decision }
      const after = admissionOf(judged, workspaceId, rules)
      const kept =
        installation && admissionOf({ ...judged, installed: true }, workspaceId, rules).kind !== 'closed'
      const installed = installation !== null && !kept
      if ((people === 0 && !installation) || admission.kind === 'closed') return []
      if (people === 0) return installed ? [{ ...app, installed, loses: 'everything' }] : []
      if (after.kind === 'closed') {
        return [{ ...app, installed, loses: kept ? 'a part' : 'everything' }]
      }
      const loses = admission.kind === 'whole' && after.kind === 'within' && !covers(after, scopes)
      return loses ? [{ ...app, installed, loses: 'a part' }] : []
    },
  )
}

/** Whether an approval bounds nothing of what people allowed. */
function covers(approval: Extract<Admission, { kind: 'within' }>, scopes: readonly string[]): boolean {
  const allowed = new Set(scopes)
  const enough = (role: Role | undefined, family: ResourceType) => {
    const used = roleFromScopes(allowed, family)
    return !used || reaches(role, used)
  }
  const { workspaceRole, projectRole, projectIds } = approval
  return !projectIds && enough(workspaceRole, 'workspace') && enough(projectRole, 'project')
}
