import type { Db } from '@/lib/base/db/prisma'
import type { AuditRecord } from '@/lib/features/audit/audit-record'
import { companyDomainWords, domainWords } from './notice-words'
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
  const end = until ? new Date(String(until)) : null
  const words = domainWords(state, String(name), String(domain), String(problem), end)
  return (await peopleWith(tx, 'workspace:manage-apps', workspaceId)).map(({ user, workspace }) => ({
    to: user,
    workspaceId,
    // The nearest that there is a word for (kind.ts); what it is about says the resource.
    type: 'APP_DECIDED',
    words,
    resource: { type: 'app_domain', id: resource.id },
    path: `/workspaces/${workspace.slug}/settings/developer/${resource.id}`,
    inApp: true,
    email: true,
  }))
}

/** The admins of a workspace are told the same of the domain of its company. */
export async function companyDomainNotices(
  tx: Db,
  { workspaceId, details }: AuditRecord,
  state: 'failing' | 'lost',
): Promise<Notice[]> {
  if (!workspaceId) return []
  const { domain, problem, until } = details ?? {}
  const end = until ? new Date(String(until)) : null
  return (await peopleWith(tx, 'workspace:decide-apps', workspaceId)).map(({ user, workspace }) => ({
    to: user,
    workspaceId,
    type: 'APP_DECIDED',
    words: companyDomainWords(state, workspace.name, String(domain), String(problem), end),
    resource: { type: 'company_domain', id: workspaceId },
    path: `/workspaces/${workspace.slug}/settings/company`,
    inApp: true,
    email: true,
  }))
}
