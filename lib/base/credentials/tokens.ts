import { hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { derivedKey, randomBytesFromPool } from './seal'

/**
 * The kinds of credentials, with their abbreviations. The format of all credentials is `lk_<kind>_`, 43
 * random base62 characters (256 bits), and a checksum of 6 characters. Credentials consist of letters,
 * digits, and `_`, so they need no escaping in HTTP Basic (RFC 6749 section 2.3.1). Secret scanners can
 * recognize the prefix. With the checksum, the server can detect mistyped credentials without a database
 * query.
 */
export const credentialKinds = {
  accessToken: 'at',
  installationToken: 'ins',
  managedToken: 'mgd',
  refreshToken: 'rt',
  authorizationCode: 'ac',
  deviceCode: 'dc',
  registrationToken: 'reg',
  clientSecret: 'cs',
  apiSecret: 'aps',
  accountToken: 'pat',
  workspaceToken: 'wst',
  projectToken: 'pjt',
  environmentToken: 'env',
  invitation: 'inv',
  emailToken: 'eml',
  pendingSignIn: 'psi',
} as const

export type CredentialKind = keyof typeof credentialKinds

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const kindsByPrefix = new Map(
  Object.entries(credentialKinds).map(([kind, prefix]) => [prefix as string, kind as CredentialKind]),
)

/**
 * Returns random base62 characters. A text of 43 characters contains 256 random bits. Bytes of 248 and above
 * are skipped, so that all characters are equally likely.
 */
function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    text += base62(randomBytesFromPool(length - text.length))
  }
  return text
}

function base62(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) if (byte < 248) text += alphabet[byte % 62]
  return text
}

function checksum(body: string): string {
  let rest = crc32(body) >>> 0
  let text = ''
  for (let i = 0; i < 6; i++) {
    text = alphabet[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** Creates a credential. @returns its plain value, to be shown or sent exactly once */
export const mintCredential = (kind: CredentialKind): string => credentialOf(kind, randomBase62(43))

/**
 * Derives a credential from `about` with HKDF (RFC 5869) and the key of the given purpose. Only an instance
 * with this key can compute the credential again.
 */
export function deriveCredential(kind: CredentialKind, purpose: string, about: string): string {
  const bytes = new Uint8Array(hkdfSync('sha256', derivedKey(purpose), 'latchkey', about, 128))
  return credentialOf(kind, base62(bytes).slice(0, 43))
}

function credentialOf(kind: CredentialKind, random: string): string {
  const body = `lk_${credentialKinds[kind]}_${random}`
  return body + checksum(body)
}

/** Returns a new client_id. A client_id is public, but cannot be predicted (128 random bits). */
export const mintClientId = (): string => `lk_app_${randomBase62(22)}`

/**
 * Returns a new API's client ID. IDs are never reused, so a new API never inherits the access of a deleted
 * one.
 */
export const mintApiId = (): string => `lk_api_${randomBase62(22)}`

/** Returns whether a client ID has the prefix of an API's client ID. */
export const isApiId = (id: string): boolean => id.startsWith('lk_api_')

/** Returns the kind of a credential, or undefined if its format, prefix, or checksum is wrong. */
export function credentialKind(value: string): CredentialKind | undefined {
  const match = /^lk_([a-z]+)_[0-9A-Za-z]{49}$/.exec(value)
  if (!match || checksum(value.slice(0, -6)) !== value.slice(-6)) return undefined
  return kindsByPrefix.get(match[1] as string)
}

/** Returns the SHA-256 hash of a credential. Only this hash is stored. */
export const hashCredential = (value: string): Buffer => hash('sha256', value, 'buffer')

/** Returns a credential's last four characters, which help users recognize it. */
export const lastFour = (value: string): string => value.slice(-4)

/**
 * Returns the stored credential that matches the presented one, or undefined if none does. Compares all
 * hashes in constant time.
 * @param stored the stored credentials, with their hashes in hexadecimal
 */
export function findMatchingCredential<Stored extends { hash: string }>(
  stored: readonly Stored[],
  presented: string,
): Stored | undefined {
  const hash = hashCredential(presented)
  const [match] = stored.filter((each) => timingSafeEqual(Buffer.from(each.hash, 'hex'), hash))
  return match
}

/** Returns whether two values are equal, and compares them in constant time. */
export const isSameCredential = (presented: string, expected: string): boolean =>
  timingSafeEqual(hashCredential(presented), hashCredential(expected))
