import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { config } from '@/lib/base/config/env'
import { takeRandom } from './random'

/** What a key is for; each purpose has its own key, so that a value sealed for one never opens for another. */
export type SealPurpose =
  | 'signing-key'
  | 'variable'
  | 'webhook-secret'
  | 'totp'
  | 'refresh-replay'
  | 'registration'
  | 'browser-session'
  | 'external-sign-in'

const keys = new Map<string, Buffer>()

/** A 256-bit key derived from SECRET_KEY by HKDF-SHA-256 (RFC 5869) for one purpose. */
export function derivedKey(purpose: string): Buffer {
  const cached = keys.get(purpose)
  if (cached) return cached
  const key = Buffer.from(hkdfSync('sha256', config().SECRET_KEY, 'latchkey', purpose, 32))
  keys.set(purpose, key)
  return key
}

/**
 * Encrypts with AES-256-GCM.
 * @param plain UTF-8 text
 * @param key 32 bytes, or a purpose whose key is derived from SECRET_KEY
 * @returns nonce (12 bytes), tag (16 bytes) and ciphertext in one buffer
 */
export function seal(plain: string, key: SealPurpose | Buffer): Buffer {
  const nonce = takeRandom(12)
  const cipher = createCipheriv('aes-256-gcm', typeof key === 'string' ? derivedKey(key) : key, nonce)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Decrypts what `seal` made. @throws Error when the key is wrong or the value was changed */
export function unseal(sealed: Uint8Array, key: SealPurpose | Buffer): string {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv(
    'aes-256-gcm',
    typeof key === 'string' ? derivedKey(key) : key,
    bytes.subarray(0, 12),
    // Node takes tags as short as four bytes otherwise, which can be guessed.
    { authTagLength: 16 },
  )
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

/** Seals a text as one that a cookie, a form or an address can carry (base64url). */
export const sealToken = (plain: string, key: SealPurpose | Buffer): string =>
  seal(plain, key).toString('base64url')

/** What `sealToken` was given. @returns undefined for what it did not make, or made for another purpose */
export function openToken(token: string, key: SealPurpose | Buffer): string | undefined {
  try {
    return unseal(Buffer.from(token, 'base64url'), key)
  } catch {
    return undefined
  }
}
