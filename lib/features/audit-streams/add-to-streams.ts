import type { Db } from '@/lib/base/db/prisma'
import type { AuditRecord, SystemActor } from '@/lib/features/audit/audit-record'
import type { Actor } from '@/lib/policy/actor'
import { installationId } from './place'

/**
 * Notes an event that was just recorded for the streams that are to send it, in the same transaction: what was rolled back
 * is sent to nobody, and what was committed is sent even if the process ends now.
 * See decision 125.
 */
export async function addToStreams(
  tx: Db,
  _actor: Actor | SystemActor,
  { workspaceId }: AuditRecord,
  eventId: string,
): Promise<void> {
  const places = workspaceId ? [installationId, workspaceId] : [installationId]
  await tx.$executeRaw`
    INSERT INTO audit_waiting (place_id, event_id)
    SELECT place_id, ${eventId}::uuid FROM audit_streams WHERE place_id = ANY(${places}::uuid[])`
}
