import { databaseNow } from '@/lib/base/db/clock'
import type { Db } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import type { Actor, SessionActor } from './actor'
import { authorizeAccount } from './authorize'

/**
 * What an account token may change about how its person signs in, once they have approved just that in a browser. A token shows
 * that it was made once, and nothing about who holds it now; so alone it changes nothing.
 * See decision 233.
 */
type FactorChangeName = keyof typeof factorChanges

/** Each as what the token wants to do, and what comes of it, in the words of the question. */
const factorChanges = {
  'passkey:rename': {
    wants: 'Rename a passkey',
    means: 'It goes on signing you in, under the new name.',
  },
  'passkey:delete': {
    wants: 'Remove a passkey',
    means:
      'It no longer signs you in. If it is your last second factor, signing in takes the password alone, and your recovery codes go too.',
  },
  'authenticator-app:create': {
    wants: 'Set up an authenticator app',
    means:
      'Whoever holds the token gets the key of the app, and can answer with its codes when the second factor is asked for. If you have no recovery codes, they get those too. Your other browsers that signed in without a second factor are signed out.',
  },
  'authenticator-app:delete': {
    wants: 'Remove the authenticator app',
    means:
      'Its codes are taken no more. If it is your last second factor, signing in takes the password alone, and your recovery codes go too.',
  },
  'recovery-codes:rotate': {
    wants: 'Make new recovery codes',
    means:
      'The codes you have stop working. Whoever holds the token gets the new ones, and each of them stands in for your second factor once.',
  },
} as const

/** What a token wants to do in the words of its question; a change of a later release says its own name. */
export const wordsOfChange = (name: string): { wants: string; means: string } =>
  isChange(name) ? factorChanges[name] : { wants: name, means: '' }

/** Whether this release knows a change. */
export const isChange = (name: string): name is FactorChangeName => Object.hasOwn(factorChanges, name)

/** One change: what is to be done, to which passkey, and under which name it shall go. */
export type FactorChange = { name: FactorChangeName; passkeyId?: string; wanted?: string }

/** Who may change them: the person in a browser, or a token without a limit with their approval. */
type AccountActor = SessionActor | AccountToken
type AccountToken = Extract<Actor, { kind: 'account-token' }>

/**
 * Requires that an actor may ask for such a change at all. No tool does: a model that is talked into it would have its person
 * approve what they never wanted.
 * @throws AppError FORBIDDEN for apps, tools of /mcp, and confined or limited tokens
 */
export function authorizeFactorChange(actor: Actor): asserts actor is AccountActor {
  authorizeAccount(actor)
  if (actor.tool) {
    throw new AppError(
      'FORBIDDEN',
      'No tool changes how somebody signs in. It is done under Account > Security.',
    )
  }
}

/** How long nothing is asked again after a no, by any token of the person. */
export const refusedMinutes = 10

/** A no is the person's: it outlives the token that asked, which they revoke next, and keeps off those it made itself. */
const refusalKey = (userId: string) => `factor-change-denied:${userId}`

/**
 * Has nothing of the kind asked again for a while, as the person has just said no, and takes back what they approved before: who
 * finds that a token asks what they did not want trusts none. In the transaction of the answer.
 */
export async function noteRefusal(tx: Db, userId: string): Promise<void> {
  const key = refusalKey(userId)
  const until = { points: 1, expire: databaseNow() + refusedMinutes * 60_000 }
  await tx.rateLimit.upsert({ where: { key }, create: { key, ...until }, update: until })
  await tx.$executeRaw`
    UPDATE factor_asks SET valid_until = now()
     WHERE user_id = ${userId}::uuid AND state = 'APPROVED' AND valid_until > now()`
}

/** How long what was begun with an approval can be finished, in minutes. */
const finishMinutes = 15

/**
 * Uses the person's approval of this very change by this very token from this very address, which counts once. In the transaction
 * of the change, so that neither is without the other, and after everything else allowed it. It ends with the session in which it
 * was given.
 * @throws AppError APPROVAL_REQUIRED (the edge opens the question), FORBIDDEN (the person said no a moment ago)
 */
export async function spendApproval(tx: Db, actor: AccountToken, change: FactorChange): Promise<void> {
  const { userId, tokenId, ip = null } = actor
  const { name, passkeyId = '', wanted = '' } = change
  const used = await tx.$executeRaw`
    UPDATE factor_asks SET used_at = now(), valid_until = now() + make_interval(mins => ${finishMinutes}::int)
     WHERE token_id = ${tokenId}::uuid AND user_id = ${userId}::uuid
       AND change = ${name} AND factor_id = ${passkeyId} AND wanted = ${wanted}
       AND ip IS NOT DISTINCT FROM ${ip}::text AND state = 'APPROVED' AND used_at IS NULL AND valid_until > now()
       AND EXISTS (SELECT FROM sessions s WHERE s.id = approved_in AND s.revoked_at IS NULL)`
  if (used > 0) return
  const about = {
    permission: name,
    resource: passkeyId ? { type: 'passkey', id: passkeyId } : { type: 'user', id: userId },
  }
  if (await tx.rateLimit.findFirst({ where: { key: refusalKey(userId), expire: { gt: databaseNow() } } })) {
    throw new AppError(
      'FORBIDDEN',
      `The user denied a change of two-factor authentication. You can request it again ${refusedMinutes} minutes later.`,
      { ...about, reason: 'denied' },
    )
  }
  throw new AppError(
    'APPROVAL_REQUIRED',
    'This requires the user’s approval. Open the approval page, then send the same request again.',
    {
      ...about,
      ...(wanted && { wanted }),
    },
  )
}

/** The change that takes two steps, of which the first is approved. */
const setUp: FactorChangeName = 'authenticator-app:create'

/**
 * Requires that this very token began to set up the authenticator app that waits for its first code. To approve the beginning
 * approves the end of it, and of nothing that somebody else began.
 * @returns the session in which it was approved
 * @throws AppError CONFLICT
 */
export async function requireBegun(tx: Db, { userId, tokenId }: AccountToken): Promise<string> {
  const [begun] = await tx.$queryRaw<{ approvedIn: string }[]>`
    SELECT approved_in AS "approvedIn" FROM factor_asks
     WHERE token_id = ${tokenId}::uuid AND user_id = ${userId}::uuid AND change = ${setUp}
       AND used_at IS NOT NULL AND valid_until > now()
       AND EXISTS (SELECT FROM sessions s WHERE s.id = approved_in AND s.revoked_at IS NULL)`
  if (begun) return begun.approvedIn
  throw new AppError(
    'CONFLICT',
    `This token has begun to set up no authenticator app within the last ${finishMinutes} minutes. Begin again.`,
  )
}

/** Ends what tokens of a person have begun to set up: somebody begins anew, and what waits for a code is theirs alone. */
export async function endBegun(tx: Db, userId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE factor_asks SET valid_until = now()
     WHERE user_id = ${userId}::uuid AND change = ${setUp} AND used_at IS NOT NULL AND valid_until > now()`
}
