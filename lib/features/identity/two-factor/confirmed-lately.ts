import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import type { SessionActor } from '@/lib/policy/actor'

/** How long a password counts for further changes in the same session. See decision 192. */
const lastsMs = 10 * 60 * 1000

/** Whether the person gave their password in this very session within the last ten minutes. */
export async function confirmedLately(actor: SessionActor): Promise<boolean> {
  const session = await prisma().session.findUnique({
    where: { id: actor.sessionId },
    select: { confirmedAt: true },
  })
  const at = session?.confirmedAt
  return at != null && databaseNow() - at.getTime() < lastsMs
}

/** Notes that the person has just given their password in this session. */
export async function noteConfirmed(actor: SessionActor): Promise<void> {
  await prisma().session.updateMany({
    where: { id: actor.sessionId, revokedAt: null },
    data: { confirmedAt: new Date(databaseNow()) },
  })
}
