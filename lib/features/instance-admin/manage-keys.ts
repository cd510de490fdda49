import { prisma } from '@/lib/base/db/prisma'
import { log } from '@/lib/base/log/log'
import { recordEvent } from '@/lib/features/audit/record-event'
import { loadKeyRing, rotateKeys } from '@/lib/features/keys/signing-keys'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { lockInstanceAdminRole } from '@/lib/policy/lock-role'

/**
 * The number of seconds that new keys are published before they sign. Clients and proxies cache the key set for a shorter
 * time.
 */
const aheadSeconds = 3600

export type KeyState = 'announced' | 'signing' | 'retired'

/**
 * Returns the published signing keys, newest first, without their private parts.
 * @throws AppError FORBIDDEN if the actor is not an instance admin
 */
export async function listSigningKeys(actor: Actor) {
  authorizeInstance(actor)
  // Create the first keys, in case no one has signed in to an app yet.
  await loadKeyRing()
  const now = new Date()
  const keys = await prisma().signingKey.findMany({
    where: { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    select: { kid: true, alg: true, createdAt: true, signsFrom: true, expiresAt: true },
    orderBy: [{ signsFrom: 'desc' }, { alg: 'asc' }],
  })
  const seen = new Set<string>()
  return keys.map((key) => ({ ...key, state: stateOf(key, now, seen) }))
}

/** Returns the state of a key. For each algorithm, the newest key whose start time has passed signs tokens. */
function stateOf(key: { alg: string; signsFrom: Date }, now: Date, seen: Set<string>): KeyState {
  if (key.signsFrom > now) return 'announced'
  if (seen.has(key.alg)) return 'retired'
  seen.add(key.alg)
  return 'signing'
}

const action = 'signing_keys.rotated'

const eventOf = (kids: string[]) => ({ action, resource: { type: 'signing_keys', id: kids.join(' ') } })

/**
 * Rotates the signing keys. New keys are published immediately and start to sign in an hour. Old keys stay published until
 * the last token that they signed has expired.
 * @throws AppError FORBIDDEN if the actor is not an instance admin
 */
export async function rotateSigningKeys(actor: Actor): Promise<{ signsFrom: Date }> {
  authorizeInstance(actor)
  const { signsFrom } = await rotateKeys({
    aheadSeconds,
    record: async (tx, kids) => {
      await lockInstanceAdminRole(tx, actor)
      await recordEvent(tx, actor, eventOf(kids))
    },
  })
  log.info('an instance admin acted', { action, instanceAdmin: actor.userId })
  return { signsFrom }
}

/**
 * Rotates the signing keys. A command of the server calls this function. The audit log records a system action.
 * @param how `aheadSeconds`: how long the new keys are published before they sign; `withdraw`: whether the old keys are
 * withdrawn immediately
 */
export const rotateSigningKeysByCommand = (how: { aheadSeconds: number; withdraw: boolean }) =>
  rotateKeys({ ...how, record: (tx, kids) => recordEvent(tx, { kind: 'system' }, eventOf(kids)) })
