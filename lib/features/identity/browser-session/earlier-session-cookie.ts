import { hkdfSync } from 'node:crypto'
import { jwtDecrypt } from 'jose'
import { derivedKeys } from '@/lib/base/credentials/seal'

/**
 * Reads the cookie of a session that began under a release that kept it as next-auth does (an encrypted JWT, RFC 7516), so
 * that nobody has to sign in again for an upgrade. To be deleted once no session of theirs can be alive.
 * @returns what the cookie carries; undefined for any other value
 */
export async function readEarlierCookie(value: string): Promise<unknown> {
  // A compact JWE has five parts; what we seal ourselves has no dots.
  if (value.split('.').length !== 5) return undefined
  // As next-auth made them, and in no other way that the library knows.
  const asMade = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
  for (const derived of derivedKeys('next-auth')) {
    const secret = derived.toString('hex')
    const key = hkdfSync('sha256', secret, '', 'NextAuth.js Generated Encryption Key', 32)
    const read = await jwtDecrypt(value, new Uint8Array(key), asMade).catch(() => undefined)
    if (read) return read.payload
  }
  return undefined
}
