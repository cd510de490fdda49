import { prisma } from '@/lib/base/db/prisma'
import { log } from '@/lib/base/log/log'
import { recordEvent } from '@/lib/features/audit/record-event'
import { loadKeyRing, rotateKeys } from '@/lib/features/keys/signing-keys'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { lockInstanceAdminRole } from '@/lib/policy/lock-role'

/**
 * The number of seconds that new keys are published before they sign. Clients and proxies replace their
 * cached key sets within this time, so they already have the new keys when these keys start to sign.
 */
const aheadSeconds = 3600

export type KeyState = 'announced' | 'signing' | 'retired'

/**
 * Returns the ID, algorithm, times, and state of each published signing key, latest start time first. Creates
 * the keys if there are none.
 * @throws AppError FORBIDDEN if the actor is not an instance admin
 */
export async function listSigningKeys(actor: Actor) {
  authorizeInstance(actor)
  // Load the key ring only to create the first keys, which do not exist if no one has signed in to an app
  // yet.
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

/**
 * Returns a key's state. For each algorithm, the newest key whose start time has passed signs tokens.
 * Therefore, pass the keys in order, newest first.
 * @param seen the algorithms whose signing key was already passed; the algorithm of a signing key is added
 */
function stateOf(key: { alg: string; signsFrom: Date }, now: Date, seen: Set<string>): KeyState {
  if (key.signsFrom > now) return 'announced'
  if (seen.has(key.alg)) return 'retired'
  seen.add(key.alg)
  return 'signing'
}

const action = 'signing_keys.rotated'

const eventOf = (kids: string[]) => ({ action, resource: { type: 'signing_keys', id: kids.join(' ') } })

/**
 * Rotates the signing keys and records the rotation in the audit log. New keys are published immediately and
 * start to sign after an hour. Old keys stay published until the last token that they signed has expired.
 * @returns the time from which the new keys sign
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
 * Rotates the signing keys, and records the rotation as a system action in the audit log. The command
 * `latchkey rotate-keys` calls this function.
 * @param how `aheadSeconds`: the number of seconds that the new keys are published before they sign;
 * `withdraw`: whether to stop publishing the old keys immediately, in which case the new keys sign
 * immediately
 */
export const rotateSigningKeysByCommand = (how: { aheadSeconds: number; withdraw: boolean }) =>
  rotateKeys({ ...how, record: (tx, kids) => recordEvent(tx, { kind: 'system' }, eventOf(kids)) })
