import { createHmac, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { z } from 'zod'
import { derivedKey } from '@/lib/base/credentials/seal'
import type { Db } from '@/lib/base/db/prisma'
import { recoveryCodeKeys } from '@/lib/features/keys/former-keys'

const password = z.string().max(1000, 'This password is incorrect.').default('')

/**
 * The input that contains only the user's password. The password is an empty text if the user entered none.
 */
export const passwordInput = z.object({ password })

/**
 * The input that contains a code from an authenticator app. At sign-in, the code can also be a recovery code.
 */
export const codeInput = z.object({
  code: z.string().trim().min(1, 'Enter the code.').max(64, 'This is not a valid code.'),
})

/** The parameters that every authenticator app supports: six digits, 30 seconds, and SHA-1 (RFC 6238). */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 }

/** Returns a new 160-bit secret (RFC 4226 section 4) in base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/**
 * Returns the URI with which a user adds a secret to an authenticator app. Pages show the URI as a QR code.
 */
export const totpUri = (secret: string, { issuer, account }: { issuer: string; account: string }): string =>
  new TOTP({ ...parameters, issuer, label: account, secret }).toString()

/**
 * Returns the time step of a code. Accepts the current and adjacent steps, because clocks can differ (RFC
 * 6238 section 5.2).
 * @param code the code as typed. Spaces are ignored.
 * @param after the step of the last accepted code. Codes of this step and earlier steps are rejected.
 * @returns the step, or undefined for a wrong or used code
 */
export function matchTotp(secret: string, code: string, after: number, now = Date.now()): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = TOTP.validate({
    ...parameters,
    token,
    secret: Secret.fromBase32(secret),
    timestamp: now,
    window: 1,
  })
  if (delta === null) return undefined
  const step = Math.floor(now / 1000 / parameters.period) + delta
  return step > after ? step : undefined
}

/**
 * The alphabet of Crockford's base32, which omits the letters i, l, o, and u. Each character stands for five
 * bits. A recovery code has six groups of four characters and therefore 120 bits, so it cannot be guessed.
 * For this reason, a keyed hash is enough for storage: ASVS 5.0, 6.5.2 requires a password hash only below
 * 112 bits.
 */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const groups = 6
const groupLength = 4
const codes = 10

const mintCode = () =>
  Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-')

/**
 * Converts a typed recovery code to lowercase, reads o as 0 and both i and l as 1, and removes all characters
 * except ASCII letters and digits.
 */
const normalize = (code: string) =>
  code
    .toLowerCase()
    .replace(/o/g, '0')
    .replace(/[il]/g, '1')
    .replace(/[^0-9a-z]/g, '')

const hashOf = (userId: string, code: string, key = derivedKey('recovery-code')) =>
  Uint8Array.from(
    createHmac('sha256', key)
      .update(`${userId} ${normalize(code)}`)
      .digest(),
  )

/**
 * Replaces the user's recovery codes with ten new ones, in the caller's transaction. Stores only the hashes
 * of the new codes.
 * @returns the plain codes, which are shown only once
 */
export async function replaceRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const minted = Array.from({ length: codes }, mintCode)
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.recoveryCode.createMany({ data: minted.map((code) => ({ userId, hash: hashOf(userId, code) })) })
  return minted
}

/**
 * Redeems a recovery code by deleting it, and returns whether the user had such a code. Of two concurrent
 * calls with the same code, only one returns true.
 */
export async function spendRecoveryCode(tx: Db, userId: string, code: string): Promise<boolean> {
  const hashes = (await recoveryCodeKeys(tx)).map((key) => hashOf(userId, code, key))
  const { count } = await tx.recoveryCode.deleteMany({ where: { userId, hash: { in: hashes } } })
  return count === 1
}
