import { createHmac, randomInt } from 'node:crypto'
import { derivedKey } from '@/lib/base/credentials/seal'
import type { Db } from '@/lib/base/db/prisma'
import { recoveryCodeKeys } from '@/lib/features/sealing/former-keys'

/**
 * Crockford's base32: no letter that looks like a digit. Six groups of four carry 120 bits, which nobody finds by trying, so
 * that a keyed hash is enough to keep them (ASVS 5.0, 6.5.2: below 112 bits it takes a password hash).
 */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const groups = 6
const groupLength = 4
const codes = 10

const mintCode = () =>
  Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-')

/** Reads what people type: any case, with or without dashes, o for 0 and i or l for 1. */
const normalise = (code: string) =>
  code
    .toLowerCase()
    .replace(/o/g, '0')
    .replace(/[il]/g, '1')
    .replace(/[^0-9a-z]/g, '')

const hashOf = (userId: string, code: string, key = derivedKey('recovery-code')) =>
  Uint8Array.from(
    createHmac('sha256', key)
      .update(`${userId} ${normalise(code)}`)
      .digest(),
  )

/**
 * Makes ten new recovery codes in place of the old ones, in the caller's transaction.
 * @returns their plain values, to be shown once
 */
export async function replaceRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const minted = Array.from({ length: codes }, mintCode)
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.recoveryCode.createMany({ data: minted.map((code) => ({ userId, hash: hashOf(userId, code) })) })
  return minted
}

/** Uses a recovery code up. @returns whether it was one; of two uses at the same moment one succeeds */
export async function spendRecoveryCode(tx: Db, userId: string, code: string): Promise<boolean> {
  const hashes = (await recoveryCodeKeys(tx)).map((key) => hashOf(userId, code, key))
  const { count } = await tx.recoveryCode.deleteMany({ where: { userId, hash: { in: hashes } } })
  return count === 1
}
