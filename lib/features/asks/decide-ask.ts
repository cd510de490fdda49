import { z } from 'zod'
import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/parse-input'
import { recordEvent } from '@/lib/features/audit/record-event'
import { requireFreshSignIn } from '@/lib/features/identity/two-factor/require-password'
import type { SessionActor } from '@/lib/policy/actor'
import { deniedMinutes } from '@/lib/policy/ask-first'
import { isId } from '@/lib/policy/require'
import { unknownAsk } from './read-ask'

const decisionInput = z.object({
  decision: z.enum(['once', 'hour', 'deny'], { error: 'Approve it once, for an hour, or deny it.' }),
})

/** How long each answer counts, in minutes. */
const counts = { once: 60, hour: 60, deny: deniedMinutes }

/**
 * Answers what an app asked a person; its next request finds out. To approve takes a sign-in of the last 15 minutes, to deny
 * none: whoever finds a session left open must not say yes for its person.
 * @param input `decision`: once, hour or deny
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (none, or somebody else's), FORBIDDEN (sign in again), CONFLICT (answered, or too late)
 */
export async function decideAsk(actor: SessionActor, id: string, input: unknown): Promise<void> {
  const { decision } = parseInput(decisionInput, input)
  const where = { id: isId(id) ? id : { in: [] }, userId: actor.userId }
  const ask = await prisma().ask.findFirst({ where, include: { client: { select: { name: true } } } })
  if (!ask) throw unknownAsk()
  if (decision !== 'deny') await requireFreshSignIn(actor)
  await prisma().$transaction(async (tx) => {
    const { count } = await tx.ask.updateMany({
      where: { ...where, state: 'OPEN', validUntil: { gt: new Date(databaseNow()) } },
      data: {
        state: decision === 'deny' ? 'DENIED' : 'APPROVED',
        once: decision === 'once',
        validUntil: new Date(databaseNow() + counts[decision] * 60_000),
      },
    })
    if (count === 0) throw new AppError('CONFLICT', 'This was answered already, or its time is over.')
    await recordEvent(tx, actor, {
      action: decision === 'deny' ? 'ask.denied' : 'ask.approved',
      resource: { type: 'ask', id: ask.id },
      workspaceId: ask.workspaceId,
      details: {
        name: ask.client.name,
        clientId: ask.clientId,
        permission: ask.permission,
        resource: { type: ask.resourceType, id: ask.resourceId },
        ...(decision === 'deny' ? {} : { for: decision }),
      },
    })
  })
}
