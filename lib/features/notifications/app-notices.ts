import type { Db } from '@/lib/base/db/prisma'
import type { AuditRecord } from '@/lib/features/audit/audit-record'
import { transferWords, verificationWords, wordsOf } from './notice-words'
import type { Notice } from './notify'
import { peopleWith } from './people-with'

/** The admins whose workspace is offered an app are told where they can accept it. @param record as both sides have it, each its own */
export async function offerMade(tx: Db, { workspaceId, resource, details }: AuditRecord): Promise<Notice[]> {
  if (!workspaceId || workspaceId !== details?.toWorkspaceId) return []
  const from = await nameOf(tx, details.fromWorkspaceId)
  const app = String(details.name)
  return (await peopleWith(tx, 'workspace:manage-apps', workspaceId)).map(({ user, workspace }) => ({
    to: user,
    workspaceId,
    // The nearest that there is a word for (kind.ts); what it is about says the resource.
    type: 'APP_REQUESTED',
    words: wordsOf('notice.offered', 'notice.offeredText', { from, app, to: workspace.name }),
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
  const app = String(details.name)
  return (await peopleWith(tx, 'workspace:manage-apps', workspaceId)).map(({ user, workspace }) => ({
    to: user,
    workspaceId,
    type: 'APP_DECIDED',
    words:
      how === 'accepted'
        ? transferWords(to, app, new Date(String(details.formerSecretsEndAt)))
        : wordsOf('notice.offerDeclined', 'notice.offerDeclinedText', { to, app }),
    resource,
    path: `/workspaces/${workspace.slug}/settings/developer`,
    inApp: true,
    email: true,
  }))
}

/** The admins of an app are told what the operator decided about it. */
export async function verificationDecided(
  tx: Db,
  { workspaceId, resource, details }: AuditRecord,
  verified: boolean,
): Promise<Notice[]> {
  if (!workspaceId) return []
  const { name, word } = details ?? {}
  return (await peopleWith(tx, 'workspace:manage-apps', workspaceId)).map(({ user, workspace }) => ({
    to: user,
    workspaceId,
    type: 'APP_DECIDED',
    words: verificationWords(verified, String(name), word),
    resource,
    path: `/workspaces/${workspace.slug}/settings/developer/${resource.id}/overview`,
    inApp: true,
    email: true,
  }))
}

/** The other workspace's name; null when it is gone by now. */
const nameOf = async (tx: Db, id: unknown): Promise<string | null> =>
  (await tx.workspace.findUnique({ where: { id: String(id) }, select: { name: true } }))?.name ?? null
