import { hashCredential, lastFour } from '@/lib/base/credentials/tokens'
import { databaseNow } from '@/lib/base/db/clock'
import { prisma } from '@/lib/base/db/prisma'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SessionActor } from '@/lib/policy/actor'
import { explorerTokenOf } from '@/lib/policy/lock-role'

/** The name of the GraphQL explorer's token in the user's list of tokens. */
export const explorerTokenName = 'GraphQL explorer'

const minutes = 60_000
const lifetime = 15 * minutes

/**
 * The remaining lifetime at which the token is renewed. Without this reserve, the token could expire during a
 * request.
 */
const reserve = 5 * minutes

/**
 * Returns the account token that the GraphQL explorer uses for the signed-in user, and creates or renews the
 * token if necessary. Each session has its own token, which expires within 15 minutes of the token's last
 * use. The token appears in the user's list of tokens, and its creation is audited. The token's value is
 * derived from the session ID with a key of this instance, so every process can compute the value. The value
 * is never stored or sent to a browser. See ADR 0025.
 * @returns the token's value, which must not leave this server
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
  // The session might have completed two-factor authentication after the token was created. If so, the token
  // is updated below.
  const asStrong = known?.twoFactor === twoFactor
  if (asStrong && known.expiresAt && known.expiresAt.getTime() > now + reserve) return value
  const live = { expiresAt: new Date(now + lifetime), twoFactor }
  if (known) await prisma().apiToken.updateMany({ where: { hash }, data: live })
  else await make(actor, { ...live, hash, lastFour: lastFour(value) })
  return value
}

/**
 * Creates the token and records an audit event. Does nothing if a concurrent request has already created the
 * token.
 */
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
