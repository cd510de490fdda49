import { createHmac, randomInt } from 'node:crypto'
import { derivedKey } from '@/lib/credentials/seal'
import type { Db } from '@/lib/db/prisma'

/** Crockford's base32: no letter that looks like a digit. 15 of these characters carry 75 bits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const codes = 10

const mintCode = () =>
  Array.from({ length: 3 }, () =>
    Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-')

/** Reads what people type: any case, with or without dashes, o for 0 and i or l for 1. */
const normalise = (code: string) =>
  code
    .toLowerCase()
    .replace(/o/g, '0')
    .replace(/[il]/g, '1')
    .replace(/[^0-9a-z]/g, '')

const hashOf = (userId: string, code: string) =>
  Uint8Array.from(
    createHmac('sha256', derivedKey('recovery-code'))
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
  const { count } = await tx.recoveryCode.deleteMany({ where: { userId, hash: hashOf(userId, code) } })
  return count === 1
}
