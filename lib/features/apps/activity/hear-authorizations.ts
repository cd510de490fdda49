import type { Db } from '@/lib/base/db/prisma'
import type { AuditRecord, SystemActor } from '@/lib/features/audit/audit-record'
import type { Actor } from '@/lib/policy/actor'
import type { ActivityKind } from './kinds'
import { writeActivity } from './note-activity'

const kinds: Record<string, { kind: ActivityKind; detail?: string }> = {
  'authorization.granted': { kind: 'GRANTED' },
  'authorization.updated': { kind: 'CHANGED' },
  'authorization.revoked': { kind: 'REVOKED', detail: 'The person took it back.' },
  'authorization.revoked_by_app': { kind: 'REVOKED', detail: 'An admin of the app ended it.' },
  'authorization.revoked_after_token_reuse': {
    kind: 'REVOKED',
    detail: 'A refresh token was used again after it had been replaced: somebody else has a copy.',
  },
}

/** Tells an app's admins what people allow it and take back, in the transaction of the change itself. */
export async function hearAuthorizations(
  tx: Db,
  actor: Actor | SystemActor,
  { action, details }: AuditRecord,
): Promise<void> {
  const heard = kinds[action]
  const clientId = details?.clientId
  if (!heard || typeof clientId !== 'string') return
  const { scopes } = details ?? {}
  // The admins of an app are told where it acts from, never where a person's browser is when they manage their account.
  await writeActivity(tx, {
    clientId,
    userId: actor.userId,
    ...heard,
    ...(Array.isArray(scopes) ? { scopes: scopes.map(String) } : {}),
  })
}
