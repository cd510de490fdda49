import { createCipheriv, createDecipheriv, hkdfSync, randomFillSync } from 'node:crypto'
import { type Config, config } from '@/lib/base/config/env'

/** Randomness is fetched from the system in blocks: one call each time costs more than all the rest of minting a token. */
const block = Buffer.alloc(4096)
let spent = block.length

/** Random bytes for secrets and nonces. @param count at most 64 */
export function takeRandom(count: number): Buffer {
  if (spent + count > block.length) {
    randomFillSync(block)
    spent = 0
  }
  const taken = Buffer.from(block.subarray(spent, spent + count))
  block.fill(0, spent, spent + count) // what became a secret is not kept
  spent += count
  return taken
}

/**
 * What is kept sealed in a column, and sealed anew when SECRET_KEY changes: lib/features/keys/reseal.ts says in
 * which column each is.
 */
export type StoredPurpose =
  | 'signing-key'
  | 'variable'
  | 'webhook-secret'
  | 'audit-stream-secret'
  | 'totp'
  | 'identity-provider'
  | 'former-key'

/** What a browser carries for us; it ends by itself. */
type CarriedPurpose = 'browser-session' | 'external-sign-in' | 'sign-up'

/** What a key is for; each purpose has its own key, so that a value sealed for one never opens for another. */
type SealPurpose = StoredPurpose | CarriedPurpose

/** Either a purpose, whose keys are derived from SECRET_KEY, or keys of 32 bytes: the first seals, all of them open. */
export type SealKey = SealPurpose | Buffer | readonly Buffer[]

/** By the settings they were derived under. */
const derived = new WeakMap<Config, Map<string, readonly Buffer[]>>()

/**
 * The 256-bit keys derived by HKDF-SHA-256 (RFC 5869) for one purpose. The first is that of SECRET_KEY, for everything new;
 * those of SECRET_KEY_PREVIOUS follow, for what was made before. See ADR 0051.
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

/** The key for everything new of one purpose. */
export const derivedKey = (purpose: string): Buffer => derivedKeys(purpose)[0] as Buffer

const keysOf = (key: SealKey): readonly Buffer[] =>
  typeof key === 'string' ? derivedKeys(key) : Buffer.isBuffer(key) ? [key] : key

/**
 * Encrypts with AES-256-GCM.
 * @param plain UTF-8 text
 * @returns nonce (12 bytes), tag (16 bytes) and ciphertext in one buffer
 */
export function seal(plain: string, key: SealKey): Buffer {
  const nonce = takeRandom(12)
  const cipher = createCipheriv('aes-256-gcm', keysOf(key)[0] as Buffer, nonce)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Decrypts what `seal` made. @throws Error when no key is the one it was sealed with, or the value was changed */
export function unseal(sealed: Uint8Array, key: SealKey): string {
  const [plain] = open(sealed, keysOf(key))
  return plain
}

/** Whether what `seal` made is sealed with an older key than the one that seals now. @throws as `unseal` */
export function isUnderFormerKey(sealed: Uint8Array, key: SealKey): boolean {
  const [, index] = open(sealed, keysOf(key))
  return index > 0
}

/** @returns the text, and the place of the key that opened it */
function open(sealed: Uint8Array, keys: readonly Buffer[]): [plain: string, index: number] {
  for (const [index, key] of keys.entries()) {
    try {
      return [decrypt(Buffer.from(sealed), key), index]
    } catch (error) {
      if (index === keys.length - 1) throw error
    }
  }
  throw new Error('no key to open it with')
}

function decrypt(bytes: Buffer, key: Buffer): string {
  const decipher = createDecipheriv(
    'aes-256-gcm',
    key,
    bytes.subarray(0, 12),
    // Node takes tags as short as four bytes otherwise, which can be guessed.
    { authTagLength: 16 },
  )
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

/** Seals a text as one that a cookie, a form or an address can carry (base64url). */
export const sealToken = (plain: string, key: SealKey): string => seal(plain, key).toString('base64url')

/** What `sealToken` was given. @returns undefined for what it did not make, or made for another purpose */
export function openToken(token: string, key: SealKey): string | undefined {
  try {
    return unseal(Buffer.from(token, 'base64url'), key)
  } catch {
    return undefined
  }
}
