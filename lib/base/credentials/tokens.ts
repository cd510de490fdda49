import { hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { derivedKey, takeRandom } from './seal'

/**
 * Every credential the product hands out has one form: `lk_<kind>_` + 43 random base62 characters (256 bits) +
 * 6 characters of checksum. Only letters, digits and `_`, so that none needs escaping in HTTP Basic (RFC 6749 2.3.1);
 * the prefix lets secret scanners find a leaked one, the checksum drops a mistyped one before any query.
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

/** 43 characters of base62 carry 256 bits; bytes of 248 and more are dropped so that every character is equally likely. */
function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    text += base62(takeRandom(length - text.length))
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

/** Makes a new credential of a kind. @returns its plain value, to be shown or sent exactly once */
export const mintCredential = (kind: CredentialKind): string => credentialOf(kind, randomBase62(43))

/**
 * A credential that this service alone can make again: it follows from what it is for under a key of its own purpose
 * (HKDF, RFC 5869), and is as long as any other.
 */
export function deriveCredential(kind: CredentialKind, purpose: string, about: string): string {
  const bytes = new Uint8Array(hkdfSync('sha256', derivedKey(purpose), 'latchkey', about, 128))
  return credentialOf(kind, base62(bytes).slice(0, 43))
}

function credentialOf(kind: CredentialKind, random: string): string {
  const body = `lk_${credentialKinds[kind]}_${random}`
  return body + checksum(body)
}

/** A new client_id: public, but not to be guessed from another (128 bits). */
export const mintClientId = (): string => `lk_app_${randomBase62(22)}`

/** The kind of a well-formed credential; undefined when the prefix is unknown or the checksum does not fit. */
export function credentialKind(value: string): CredentialKind | undefined {
  const match = /^lk_([a-z]+)_[0-9A-Za-z]{49}$/.exec(value)
  if (!match || checksum(value.slice(0, -6)) !== value.slice(-6)) return undefined
  return kindsByPrefix.get(match[1] as string)
}

/** SHA-256 of a credential: all that is ever stored of one. */
export const hashCredential = (value: string): Buffer => hash('sha256', value, 'buffer')

/** The last four characters, by which people tell their credentials apart. */
export const lastFour = (value: string): string => value.slice(-4)

/**
 * The one of several stored credentials that was presented. Every hash is compared, in constant time, whichever matches.
 * @param stored with their hashes in hexadecimal
 */
export function findMatch<Stored extends { hash: string }>(
  stored: readonly Stored[],
  presented: string,
): Stored | undefined {
  const hash = hashCredential(presented)
  const [match] = stored.filter((each) => timingSafeEqual(Buffer.from(each.hash, 'hex'), hash))
  return match
}

/** Compares what was presented with what it has to be, in a time that tells nothing of either. */
export const isSameCredential = (presented: string, expected: string): boolean =>
  timingSafeEqual(hashCredential(presented), hashCredential(expected))
