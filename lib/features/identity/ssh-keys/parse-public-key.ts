import { createHash } from 'node:crypto'
import { badInput } from '@/lib/base/errors/app-error'

/** A public key as it is stored: type and key, without its comment, and what it is told apart by. */
export type ParsedKey = { publicKey: string; fingerprint: string; comment: string }

/** What each type of key holds after its name (RFC 4253 6.6, RFC 5656 3.1, RFC 8709 4, OpenSSH PROTOCOL.u2f). */
const fieldsOf: Record<string, (fields: Buffer[]) => boolean> = {
  'ssh-ed25519': ([key, ...more]) => key?.length === 32 && more.length === 0,
  'ecdsa-sha2-nistp256': (fields) => isCurve(fields, 'nistp256', 65),
  'ecdsa-sha2-nistp384': (fields) => isCurve(fields, 'nistp384', 97),
  'ecdsa-sha2-nistp521': (fields) => isCurve(fields, 'nistp521', 133),
  'sk-ssh-ed25519@openssh.com': ([key, application, ...more]) =>
    key?.length === 32 && application !== undefined && more.length === 0,
  'sk-ecdsa-sha2-nistp256@openssh.com': (fields) =>
    fields.length === 3 && isCurve(fields.slice(0, 2), 'nistp256', 65),
  'ssh-rsa': ([exponent, modulus, ...more]) =>
    exponent !== undefined && modulus !== undefined && more.length === 0 && bitLength(modulus) >= minRsaBits,
}

const minRsaBits = 2048

/**
 * Checks a public key in OpenSSH's one-line format.
 * @returns its canonical form and its fingerprint, as `ssh-keygen -l` prints it
 * @throws AppError BAD_USER_INPUT on `publicKey`
 */
export function parsePublicKey(text: string): ParsedKey {
  if (text.includes('PRIVATE KEY')) {
    throw refuse('This is a private key. Keep it to yourself and paste the file that ends in .pub.')
  }
  const [, type = '', encoded = '', comment = ''] =
    /^([\w@.-]+) +([\w+/]+={0,2})(?: +(.*))?$/.exec(text.trim()) ?? []
  const check = Object.hasOwn(fieldsOf, type) ? fieldsOf[type] : undefined
  if (!check) throw refuse('Paste one public key, such as "ssh-ed25519 AAAA...", of a type in use today.')
  const blob = Buffer.from(encoded, 'base64')
  const [name, ...fields] = readFields(blob) ?? []
  if (name?.toString('latin1') !== type || !check(fields)) {
    throw refuse(
      type === 'ssh-rsa'
        ? `This is no whole RSA key of at least ${minRsaBits} bits.`
        : 'The key is incomplete or damaged.',
    )
  }
  const hash = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')
  return { publicKey: `${type} ${blob.toString('base64')}`, fingerprint: `SHA256:${hash}`, comment }
}

/** The length-prefixed fields of a key (RFC 4251 section 5); undefined when they do not fill it exactly. */
function readFields(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = []
  let at = 0
  while (at < blob.length) {
    if (at + 4 > blob.length) return undefined
    const end = at + 4 + blob.readUInt32BE(at)
    if (end > blob.length) return undefined
    fields.push(blob.subarray(at + 4, end))
    at = end
  }
  return fields
}

const isCurve = ([curve, point, ...more]: Buffer[], name: string, length: number) =>
  curve?.toString('latin1') === name && point?.length === length && point[0] === 4 && more.length === 0

const bitLength = (integer: Buffer): number => {
  const hex = integer.toString('hex').replace(/^0+/, '')
  return hex === '' ? 0 : (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex[0] as string, 16)))
}

const refuse = (message: string) => badInput('publicKey', message)
