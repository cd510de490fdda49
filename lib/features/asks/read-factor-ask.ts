import { prisma } from '@/lib/base/db/prisma'
import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import type { SessionActor } from '@/lib/policy/actor'
import { wordsOfChange } from '@/lib/policy/factor-changes'
import { isId } from '@/lib/policy/require'
import { type FactorAskState, stateOfFactorAsk } from './ask-state'
import { type NamedFactor, nameFactor } from './name-factor'

/** What a token wants to change about how its person signs in, in the words of the page where they answer. */
export type FactorAskView = {
  id: string
  token: { name: string; display: string; createdAt: Date; lastUsedAt: Date | null }
  /** Such as "Remove a passkey", and what comes of it. */
  wants: string
  means: string
  /** The passkey it is about; null for one that is gone, none where it is about no single one. */
  passkey?: NamedFactor | null
  /** The name that it shall have. */
  wanted: string
  askedAt: Date
  /** The address it was asked from, as far as that is known. */
  ip: string | null
  state: FactorAskState
}

/**
 * A question that a token has for its person.
 * @returns undefined where there is none, or it is somebody else's
 */
export async function readFactorAsk(actor: SessionActor, id: string): Promise<FactorAskView | undefined> {
  const ask = isId(id)
    ? await prisma().factorAsk.findFirst({ where: { id, userId: actor.userId }, include: { token: true } })
    : null
  if (!ask) return undefined
  const { token, change, factorId, wanted, ip, createdAt } = ask
  const passkey = await nameFactor(ask)
  return {
    id,
    token: {
      name: token.name,
      display: displayToken(token),
      createdAt: token.createdAt,
      lastUsedAt: token.lastUsedAt,
    },
    ...wordsOfChange(change),
    ...(factorId && { passkey }),
    wanted,
    askedAt: createdAt,
    ip,
    state: stateOfFactorAsk(ask),
  }
}
