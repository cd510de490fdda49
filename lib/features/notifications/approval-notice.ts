import type { AuditRecord } from '@/lib/features/audit/audit-record'
import { wordsOf } from './notice-words'
import type { Notice } from './notify'

/** The notification of a request for approval. @param record the request, as it was recorded */
export function approvalNotice(to: Notice['to'], { resource, details }: AuditRecord): Notice {
  const { app, token, wants, name } = details ?? {}
  return {
    to,
    // The nearest that there is a word for (kind.ts); what it is about says the resource.
    type: 'APP_AUTHORIZED',
    words: token
      ? wordsOf('notice.tokenAsked', 'notice.tokenAskedText', { token: String(token) })
      : wordsOf('notice.asked', 'notice.askedText', {
          app: String(app),
          wants: String(wants),
          name: String(name),
        }),
    resource,
    path: `/approvals/${resource.id}`,
    inApp: true,
    email: false,
  }
}
