import { createCipheriv, createDecipheriv, hkdfSync, randomFillSync } from 'node:crypto'
import { type Config, config } from '@/lib/base/config/env'

/**
 * A buffer of random bytes. Without this buffer, each new token would need a system call, which takes longer
 * than all other steps of creating the token.
 */
const block = Buffer.alloc(4096)
let spent = block.length

/** Returns random bytes for secrets and nonces. @param count at most 4,096, the size of the buffer */
export function randomBytesFromPool(count: number): Buffer {
  if (spent + count > block.length) {
    randomFillSync(block)
    spent = 0
  }
  const taken = Buffer.from(block.subarray(spent, spent + count))
  block.fill(0, spent, spent + count) // remove the secret's bytes from the buffer
  spent += count
  return taken
}

/**
 * The purposes of encrypted values in the database. After SECRET_KEY changes, `latchkey reseal` re-encrypts
 * these values. lib/features/keys/reseal.ts lists their columns.
 */
export type StoredPurpose =
  | 'signing-key'
  | 'variable'
  | 'webhook-secret'
  | 'audit-stream-secret'
  | 'totp'
  | 'identity-provider'
  | 'former-key'

/**
 * The purposes of temporary encrypted values in cookies and email links. The database does not contain these
 * values.
 */
type CarriedPurpose = 'browser-session' | 'external-sign-in' | 'rejected-form' | 'sign-up'

/**
 * A purpose of encryption. Each purpose has its own key, so a value encrypted for one purpose cannot be
 * decrypted for another.
 */
type SealPurpose = StoredPurpose | CarriedPurpose

/**
 * The keys for `seal` and `unseal`: a purpose whose keys are derived from SECRET_KEY and SECRET_KEY_PREVIOUS,
 * or the 32-byte keys themselves. The first key encrypts, and all keys can decrypt.
 */
export type SealKey = SealPurpose | Buffer | readonly Buffer[]

/** A cache of derived keys, by the settings from which they are derived and by purpose. */
const derived = new WeakMap<Config, Map<string, readonly Buffer[]>>()

/**
 * Returns the 256-bit keys of one purpose, derived with HKDF-SHA-256 (RFC 5869). The first key is derived
 * from SECRET_KEY and is used to encrypt. The keys derived from SECRET_KEY_PREVIOUS follow. See ADR 0041.
 */
export function derivedKeys(purpose: string): readonly Buffer[] {
  const settings = config()
  const known = derived.get(settings) ?? new Map<string, readonly Buffer[]>()
  derived.set(settings, known)
  const keys =
    known.get(purpose) ??
    [settings.SECRET_KEY, ...settings.SECRET_KEY_PREVIOUS].map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, 'latchkey', purpose, 32)),
    )
  known.set(purpose, keys)
  return keys
}

/** Returns the current key of one purpose. */
export const derivedKey = (purpose: string): Buffer => derivedKeys(purpose)[0] as Buffer

const keysOf = (key: SealKey): readonly Buffer[] =>
  typeof key === 'string' ? derivedKeys(key) : Buffer.isBuffer(key) ? [key] : key

/**
 * Encrypts a text with AES-256-GCM and the first key.
 * @param plain the text, which is encoded as UTF-8
 * @returns nonce (12 bytes), tag (16 bytes) and ciphertext in one buffer
 */
export function seal(plain: string, key: SealKey): Buffer {
  const nonce = randomBytesFromPool(12)
  const cipher = createCipheriv('aes-256-gcm', keysOf(key)[0] as Buffer, nonce)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Decrypts a value from `seal`. @throws Error if no key matches or the value was modified */
export function unseal(sealed: Uint8Array, key: SealKey): string {
  const [plain] = open(sealed, keysOf(key))
  return plain
}

/**
 * Returns whether a value from `seal` is encrypted with an older key.
 * @throws Error if no key matches or the value was modified
 */
export function isUnderFormerKey(sealed: Uint8Array, key: SealKey): boolean {
  const [, index] = open(sealed, keysOf(key))
  return index > 0
}

/** @returns the text and the index of the key that decrypted it */
function open(sealed: Uint8Array, keys: readonly Buffer[]): [plain: string, index: number] {
  for (const [index, key] of keys.entries()) {
    try {
      return [decrypt(Buffer.from(sealed), key), index]
    } catch (error) {
      if (index === keys.length - 1) throw error
    }
  }
  throw new Error('no key can decrypt this value')
}

function decrypt(bytes: Buffer, key: Buffer): string {
  const decipher = createDecipheriv(
    'aes-256-gcm',
    key,
    bytes.subarray(0, 12),
    // Without this option, Node accepts tags of four bytes, which can be guessed.
    { authTagLength: 16 },
  )
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

/** Encrypts a text and returns the result as base64url, which is safe in cookies, forms, and URLs. */
export const sealToken = (plain: string, key: SealKey): string => seal(plain, key).toString('base64url')

/**
 * Decrypts a value from `sealToken`. @returns the text, or undefined if the value is invalid or no key can
 * decrypt it
 */
export function openToken(token: string, key: SealKey): string | undefined {
  try {
    return unseal(Buffer.from(token, 'base64url'), key)
  } catch {
    return undefined
  }
}

/**
 * Returns a value as text from which a digest can be computed. Equal values have the same text, regardless of
 * key order. An absent key and a null value result in different texts, because the API also distinguishes
 * them.
 */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
