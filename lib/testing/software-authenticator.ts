import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest()

type Options = { challenge: string; rpId?: string; rp?: { id?: string }; user?: { id: string } }
type Behavior = { origin?: string; userVerified?: boolean; counter?: number }

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/**
 * A passkey implemented in software. It responds to WebAuthn options in the same way as a browser with an
 * authenticator (ES256, attestation "none").
 */
export class SoftwareAuthenticator {
  readonly id = randomBytes(32)
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  private userHandle: string | undefined

  /** @param origin the page's origin */
  constructor(private readonly origin: string) {}

  private flags(userVerified: boolean, attested: boolean) {
    return Buffer.from([0x01 | (userVerified ? 0x04 : 0) | (attested ? 0x40 : 0)])
  }

  private clientData(type: string, challenge: string, origin = this.origin) {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  /** Responds to creation options. @returns the JSON for the form field */
  register(options: Options, { origin, userVerified = true }: Behavior = {}): string {
    this.userHandle = options.user?.id
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' })
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(String(x), 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(String(y), 'base64url'))],
    ])
    const authData = Buffer.concat([
      sha256(String(options.rp?.id)),
      this.flags(userVerified, true),
      uint32(0),
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      isoCBOR.encode(cose),
    ])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', Uint8Array.from(authData)],
    ])
    return this.answer({
      clientDataJSON: base64url(this.clientData('webauthn.create', options.challenge, origin)),
      attestationObject: base64url(isoCBOR.encode(attestation as never)),
      transports: ['internal'],
    })
  }

  /** Responds to request options. @returns the JSON for the form field */
  sign(options: Options, { origin, userVerified = true, counter = 0 }: Behavior = {}): string {
    const clientData = this.clientData('webauthn.get', options.challenge, origin)
    const authenticatorData = Buffer.concat([
      sha256(String(options.rpId)),
      this.flags(userVerified, false),
      uint32(counter),
    ])
    const signature = createSign('sha256')
      .update(Buffer.concat([authenticatorData, sha256(clientData)]))
      .sign(this.keys.privateKey)
    return this.answer({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
      userHandle: this.userHandle,
    })
  }

  private answer(response: object): string {
    const id = base64url(this.id)
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })
  }
}
