import type { Db } from '@/lib/base/db/prisma'
import type { AuditRecord } from '@/lib/features/audit/audit-record'
import type { Notice } from './notify'
import { peopleWith } from './people-with'

/** The admins of an app are told that the proof of its domain is gone, or was gone for too long. */
export async function domainNotices(
  tx: Db,
  { workspaceId, resource, details }: AuditRecord,
  state: 'failing' | 'lost',
): Promise<Notice[]> {
  if (!workspaceId) return []
  const { name, domain, problem, until } = details ?? {}
  const next =
    state === 'lost'
      ? `${name} is no longer shown as proven there. You can prove it again.`
      : `Until ${String(until).slice(0, 10)} it still counts. ${problem}`
  return (await peopleWith(tx, 'workspace:manage-apps', workspaceId)).map(({ user, workspace }) => ({
    to: user,
    workspaceId,
    // The nearest that there is a word for (kind.ts); what it is about says the resource.
    type: 'APP_DECIDED',
    title:
      state === 'lost'
        ? `The domain ${domain} of ${name} is not verified any more`
        : `The proof of ${domain} for ${name} was not found`,
    body: next,
    resource: { type: 'app_domain', id: resource.id },
    path: `/workspaces/${workspace.slug}/settings/developer/${resource.id}`,
    inApp: true,
    email: true,
  }))
}
