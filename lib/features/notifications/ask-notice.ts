import type { AuditRecord } from '@/lib/features/audit/audit-record'
import type { Notice } from './notify'

/** What a person is told whom an app asks first. @param record the question, as it was recorded */
export function askNotice(to: Notice['to'], { resource, details }: AuditRecord): Notice {
  const { app, wants, name } = details ?? {}
  return {
    to,
    // The nearest that there is a word for (kind.ts); what it is about says the resource.
    type: 'APP_AUTHORIZED',
    title: `${app} asks for your approval`,
    body: `It wants to do this for you: ${wants} ${name}. Nothing happens until you approve it.`,
    resource,
    path: `/asks/${resource.id}`,
    inApp: true,
    email: false,
  }
}
