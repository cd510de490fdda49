import type { Db } from '@/lib/base/db/prisma'
import { log } from '@/lib/base/log/log'
import { generateKey, signingAlgs } from './generate-key'
import { storeKeys, underKeyLock } from './key-ring'

/** How long an id_token, and a client's or proxy's copy of the key set, may live after the key stopped signing. */
const keepAfterSeconds = 3600 + 600

type Rotation = {
  /** How long the new keys are published before they sign. */
  aheadSeconds: number
  /** For keys that leaked: the new ones sign now, and no other is published any more, whatever it has signed. */
  withdraw?: boolean
  /** Written in the same step, such as the event of it. */
  record: (tx: Db, kids: string[]) => Promise<void>
}

/**
 * Replaces the signing keys with overlap: the new ones are published at once and sign after `aheadSeconds`, by when
 * every client has fetched the key set again; the old ones stay published until the last token they signed has expired.
 * Keys that were announced and have not signed yet make room: what is asked for last counts. Replicas pick this up by
 * themselves.
 * @returns the ids of the new keys and when they start to sign
 */
export async function rotateKeys({ aheadSeconds, withdraw = false, record }: Rotation) {
  const fresh = await Promise.all(signingAlgs.map(generateKey))
  const kids = fresh.map((key) => key.kid)
  const signsFrom = await underKeyLock(async (tx) => {
    const [row] = await tx.$queryRaw<[{ now: Date }]>`SELECT now()`
    const from = new Date(row.now.getTime() + (withdraw ? 0 : aheadSeconds * 1000))
    if (withdraw) await tx.signingKey.deleteMany()
    await tx.$executeRaw`DELETE FROM signing_keys WHERE signs_from > now() OR expires_at < now()`
    // Those that sign today. What an earlier rotation retired keeps its end.
    await tx.$executeRaw`
      UPDATE signing_keys SET expires_at = ${new Date(from.getTime() + keepAfterSeconds * 1000)}
       WHERE NOT EXISTS (SELECT FROM signing_keys newer
                          WHERE newer.alg = signing_keys.alg AND newer.signs_from > signing_keys.signs_from)`
    await storeKeys(tx, fresh, from)
    await record(tx, kids)
    return from
  })
  log.info('the signing keys were rotated', { kids, signsFrom })
  return { kids, signsFrom }
}
