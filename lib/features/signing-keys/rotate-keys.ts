import { log } from '@/lib/base/log/log'
import { generateKey, signingAlgs } from './generate-key'
import { storeKeys, underKeyLock } from './key-ring'

/** How long an id_token, and a client's or proxy's copy of the key set, may live after the key stopped signing. */
const keepAfterSeconds = 3600 + 600

/**
 * Replaces the signing keys with overlap: the new ones are published at once and sign after `aheadSeconds`, by when
 * every client has fetched the key set again; the old ones stay published until the last token they signed has expired.
 * Replicas pick this up by themselves.
 * @returns the ids of the new keys and when they start to sign
 */
export async function rotateKeys(aheadSeconds: number): Promise<{ kids: string[]; signsFrom: Date }> {
  const fresh = await Promise.all(signingAlgs.map(generateKey))
  const signsFrom = new Date(Date.now() + aheadSeconds * 1000)
  await underKeyLock(async (tx) => {
    await tx.signingKey.updateMany({
      where: { expiresAt: null },
      data: { expiresAt: new Date(signsFrom.getTime() + keepAfterSeconds * 1000) },
    })
    await storeKeys(tx, fresh, signsFrom)
    await tx.signingKey.deleteMany({ where: { expiresAt: { lt: new Date() } } })
  })
  const kids = fresh.map((key) => key.kid)
  log.info('the signing keys were rotated', { kids, signsFrom })
  return { kids, signsFrom }
}
