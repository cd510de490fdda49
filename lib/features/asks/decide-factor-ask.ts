import { z } from 'zod'
import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/parse-input'
import { recordEvent } from '@/lib/features/audit/record-event'
import { requireFreshSignIn, requirePassword } from '@/lib/features/identity/two-factor/require-password'
import { secondFactors } from '@/lib/features/identity/two-factor/second-factors'
import type { SessionActor } from '@/lib/policy/actor'
import { isChange, noteRefusal, refusedMinutes } from '@/lib/policy/factor-changes'
import { isId } from '@/lib/policy/require'
import { unknownAsk } from './read-ask'

const decisionInput = z.object({
  decision: z.enum(['once', 'deny'], { error: 'Approve it once, or deny it.' }),
  password: z.string().max(1000, 'This is not your password.').default(''),
})

/** How long each answer counts, in minutes. */
const counts = { once: 10, deny: refusedMinutes }

/**
 * Answers what a token asked its person about their second factors; its next request finds out. To approve takes more than
 * the console takes of somebody who changes them there, as this person did not come for it by themselves: a sign-in of the last 15
 * minutes, with the second factor of who has one, and the password, each time. To deny takes nothing, and can be done after an
 * approval too, until that is used.
 * @param input `decision`: once or deny; `password`, of who has one
 * @throws AppError BAD_USER_INPUT on `decision` or `password`, NOT_FOUND (none, or somebody else's), FORBIDDEN (sign in again),
 *   RATE_LIMITED, CONFLICT (answered, too late, or a change of a later release)
 */
export async function decideFactorAsk(actor: SessionActor, id: string, input: unknown): Promise<void> {
  const { decision, password } = parseInput(decisionInput, input)
  const where = { id: isId(id) ? id : { in: [] }, userId: actor.userId }
  const ask = await prisma().factorAsk.findFirst({ where, include: { token: { select: { name: true } } } })
  if (!ask) throw unknownAsk()
  if (decision === 'once') {
    // Another release asked, which runs beside this one: nobody approves what the page cannot say.
    if (!isChange(ask.change))
      throw new AppError('CONFLICT', 'This cannot be approved here yet. Try again later.')
    await requireSelf(actor, password)
  }
  await prisma().$transaction(async (tx) => {
    const { count } = await tx.factorAsk.updateMany({
      where: {
        ...where,
        state: decision === 'deny' ? { in: ['OPEN', 'APPROVED'] } : 'OPEN',
        usedAt: null,
        validUntil: { gt: new Date(databaseNow()) },
      },
      data: {
        state: decision === 'deny' ? 'DENIED' : 'APPROVED',
        approvedIn: decision === 'deny' ? null : actor.sessionId,
        validUntil: new Date(databaseNow() + counts[decision] * 60_000),
      },
    })
    if (count === 0) throw new AppError('CONFLICT', 'This was answered already, or its time is over.')
    if (decision === 'deny') await noteRefusal(tx, actor.userId)
    await recordEvent(tx, actor, {
      action: decision === 'deny' ? 'ask.denied' : 'ask.approved',
      resource: { type: 'ask', id },
      details: {
        name: ask.token.name,
        tokenId: ask.tokenId,
        permission: ask.change,
        ...(ask.factorId && { resource: { type: 'passkey', id: ask.factorId } }),
        ...(ask.wanted && { wanted: ask.wanted }),
      },
    })
  })
}

async function requireSelf(actor: SessionActor, password: string): Promise<void> {
  await requireFreshSignIn(actor)
  if (await lacksSecondFactor(actor)) {
    throw new AppError('FORBIDDEN', 'Sign out and in again with your second factor, then approve it.')
  }
  await requirePassword(actor, password, { eachTime: true })
}

/** Whether a session began without the second factor that its person has by now. */
export const lacksSecondFactor = async (actor: SessionActor): Promise<boolean> =>
  !actor.twoFactor && (await secondFactors(actor.userId)).enrolled
