import { hashCredential, lastFour } from '@/lib/base/credentials/tokens'
import { databaseNow } from '@/lib/base/db/clock'
import { prisma } from '@/lib/base/db/prisma'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SessionActor } from '@/lib/policy/actor'
import { explorerTokenOf } from '@/lib/policy/hold'

/** What a person finds among their tokens. */
export const explorerTokenName = 'GraphQL explorer'

const minutes = 60_000
const lifetime = 15 * minutes

/** Left at least, so that a request does not begin with a token that dies on the way. */
const reserve = 5 * minutes

/**
 * The account token by which the GraphQL explorer asks for whoever is signed in: one for a session, alive for 15 minutes after
 * it was last used, listed among the person's tokens like any other and recorded when it is made. Its value is derived from the
 * session's id under a key of this service, so that every process knows it, nothing stores it and no browser is told.
 * See ADR 0040.
 * @returns the token's value, for this server alone
 */
export async function explorerToken(actor: SessionActor): Promise<string> {
  const value = explorerTokenOf(actor.sessionId)
  const hash = Uint8Array.from(hashCredential(value))
  const now = databaseNow()
  const twoFactor = actor.twoFactor ?? false
  const known = await prisma().apiToken.findUnique({
    where: { hash },
    select: { expiresAt: true, twoFactor: true },
  })
  // Where the session was raised by a second factor meanwhile, so is the token.
  const asStrong = known?.twoFactor === twoFactor
  if (asStrong && known.expiresAt && known.expiresAt.getTime() > now + reserve) return value
  const live = { expiresAt: new Date(now + lifetime), twoFactor }
  if (known) await prisma().apiToken.updateMany({ where: { hash }, data: live })
  else await make(actor, { ...live, hash, lastFour: lastFour(value) })
  return value
}

/** Two requests at once make one. */
async function make(
  actor: SessionActor,
  data: { hash: Uint8Array<ArrayBuffer>; lastFour: string; expiresAt: Date; twoFactor: boolean },
): Promise<void> {
  const row = {
    ...data,
    kind: 'ACCOUNT',
    role: 'ADMIN',
    name: explorerTokenName,
    userId: actor.userId,
  } as const
  await prisma().$transaction(async (tx) => {
    const [made] = await tx.apiToken.createManyAndReturn({
      data: [row],
      skipDuplicates: true,
      select: { id: true },
    })
    if (!made) return
    await recordEvent(tx, actor, {
      action: 'api_token.created',
      resource: { type: 'api_token', id: made.id },
      workspaceId: null,
      details: { name: row.name, kind: row.kind, role: row.role },
    })
  })
}
