import { type AttemptLimit, countAttempt } from '@/lib/base/db/attempt-limit'
import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { type ErrorDetails, isAppError } from '@/lib/base/errors/app-error'
import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { FactorAsk } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { wordsOfChange } from '@/lib/policy/factor-changes'
import { askUrl, laterAlone } from './ask-address'
import { stateOfFactorAsk } from './ask-state'
import { nameFactor } from './name-factor'

/** How long a question can be answered. */
const openMinutes = 15

/** Questions that a person gets at most, from all tokens together, as one can make itself another. */
export const factorAsksPerHour = 10

const limit: AttemptLimit = {
  name: 'factor-ask',
  points: factorAsksPerHour,
  seconds: 3600,
  message: 'The person was asked for a lot already. Try again in an hour.',
}

/**
 * Opens the questions that changes of second factors by a token were refused for, and adds to each refusal the page where its
 * person answers. The person is told; asking again while a question is open changes nothing, unless another name is wanted. From
 * another address it is another question.
 * @param errors what the operation threw
 */
export async function openFactorAsks(actor: Actor, errors: readonly unknown[]): Promise<void> {
  if (actor.kind !== 'account-token') return
  for (const error of errors) {
    if (isAppError(error) && error.code === 'APPROVAL_REQUIRED') {
      Object.assign(error.details, await openFactorAsk(actor, error.details).catch(laterAlone))
    }
  }
}

/** Whether a question is to be answered still, or an answer to it counts: one that was approved ends with the session of that. */
async function stands(ask: FactorAsk): Promise<boolean> {
  const state = stateOfFactorAsk(ask)
  if (state !== 'approved-once') return state === 'open' || state === 'denied'
  const where = { id: ask.approvedIn ?? ask.id, revokedAt: null }
  return (await prisma().session.count({ where })) === 1
}

async function openFactorAsk(
  actor: Extract<Actor, { kind: 'account-token' }>,
  { permission: change = '', resource, wanted = '' }: ErrorDetails,
): Promise<{ approvalUrl: string }> {
  const { userId, tokenId } = actor
  const factorId = resource?.type === 'passkey' ? resource.id : ''
  // Whoever has the token elsewhere asks for themselves, on a page that says from where.
  const key = { tokenId, change, factorId, ip: actor.ip ?? null }
  const known = await prisma().factorAsk.findFirst({ where: key })
  if (known && known.wanted === wanted && (await stands(known))) return { approvalUrl: askUrl(known.id) }
  await countAttempt(limit, userId)
  const id = await prisma().$transaction(async (tx) => {
    // A new id: a page that was open for an earlier question answers nothing else.
    if (known) await tx.factorAsk.deleteMany({ where: { id: known.id } })
    const validUntil = new Date(databaseNow() + openMinutes * 60_000)
    const made = await tx.factorAsk.createManyAndReturn({
      data: [{ ...key, userId, wanted, validUntil }],
      skipDuplicates: true,
      select: { id: true },
    })
    // Another request of the token asks the same at this moment.
    if (!made[0]) return (await tx.factorAsk.findFirstOrThrow({ where: key })).id
    const { id } = made[0]
    const token = await tx.apiToken.findUniqueOrThrow({ where: { id: tokenId } })
    await recordEvent(tx, actor, {
      action: 'ask.opened',
      resource: { type: 'ask', id },
      details: {
        permission: change,
        token: `${token.name} (${displayToken(token)})`,
        name: (await nameFactor(key))?.name ?? wordsOfChange(change).wants,
        ...(wanted && { wanted }),
      },
    })
    return id
  })
  return { approvalUrl: askUrl(id) }
}
