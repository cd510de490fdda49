import type { Db } from '@/lib/base/db/prisma'
import type { AuditRecord } from '@/lib/features/audit/audit-record'
import type { Notice } from './notify'
import { peopleWith } from './people-with'

/** The admins whose workspace is offered an app are told where they can accept it. @param record as both sides have it, each its own */
export async function offerMade(tx: Db, { workspaceId, resource, details }: AuditRecord): Promise<Notice[]> {
  if (!workspaceId || workspaceId !== details?.toWorkspaceId) return []
  const from = await nameOf(tx, details.fromWorkspaceId)
  return (await peopleWith(tx, 'workspace:manage-apps', workspaceId)).map(({ user, workspace }) => ({
    to: user,
    workspaceId,
    // The nearest that there is a word for (kind.ts); what it is about says the resource.
    type: 'APP_REQUESTED',
    title: `${from} offers the app ${details.name} to ${workspace.name}`,
    body: 'Nothing changes until an admin accepts. Have a look at what would come with it.',
    resource: { type: 'app_offer', id: resource.id },
    path: `/workspaces/${workspace.slug}/settings/developer`,
    inApp: true,
    email: true,
  }))
}

/** The admins who offered an app are told what became of it. */
export async function offerAnswered(
  tx: Db,
  { workspaceId, resource, details }: AuditRecord,
  how: 'accepted' | 'declined',
): Promise<Notice[]> {
  if (!workspaceId || workspaceId !== details?.fromWorkspaceId) return []
  const to = await nameOf(tx, details.toWorkspaceId)
  return (await peopleWith(tx, 'workspace:manage-apps', workspaceId)).map(({ user, workspace }) => ({
    to: user,
    workspaceId,
    type: 'APP_DECIDED',
    title: `${to} ${how} the app ${details.name}`,
    body: how === 'accepted' ? 'It belongs to that workspace now.' : 'It stays with you.',
    resource,
    path: `/workspaces/${workspace.slug}/settings/developer`,
    inApp: true,
    email: true,
  }))
}

const nameOf = async (tx: Db, id: unknown): Promise<string> =>
  (await tx.workspace.findUnique({ where: { id: String(id) }, select: { name: true } }))?.name ??
  'A workspace'
