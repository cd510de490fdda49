import { generateKeyPairSync } from 'node:crypto'

/** Returns a new Ed25519 public key in OpenSSH's one-line format (RFC 8709 section 4). */
export function newPublicKey(comment: string): string {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const blob = Buffer.concat([field(Buffer.from('ssh-ed25519')), field(Buffer.from(x, 'base64url'))])
  return `ssh-ed25519 ${blob.toString('base64')} ${comment}`
}
