import { createHash } from 'node:crypto'
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, jwtVerify } from 'jose'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { statement } from '@/lib/base/db/statements'

/** The accepted signature algorithms of proofs, in this module and in oidc-provider. */
export const proofAlgs: ('ES256' | 'EdDSA')[] = ['ES256', 'EdDSA']

/** The maximum difference between the time in a proof and the server's clock, in seconds. */
const proofSeconds = 300

/**
 * The time for which a proof's ID is stored, in seconds. If the sender's clock is ahead, a proof is valid for
 * up to twice `proofSeconds`.
 */
export const proofRememberedSeconds = 2 * proofSeconds

/** The maximum length of a proof, in characters. */
const longestProof = 8_192

/**
 * The maximum length of a proof's `jti`, in characters. A UUID, which is a common `jti`, has 36 characters.
 */
const longestId = 256

/** The request that a proof covers, and the access token that is sent with it, if any. */
type Proven = {
  method: string
  /** The URL of the request without its query. */
  url: string
  accessToken?: string | undefined
}

/** A valid proof, which might have been used before. */
type SoundProof = { jti: string; thumbprint: string }

/**
 * Verifies a DPoP proof (RFC 9449 section 4.3). Every endpoint that accepts proofs uses this function: the
 * API and /mcp call it through `holdsKey`, and the OAuth endpoints call it before oidc-provider reads the
 * proof.
 * @returns the proof's ID and the thumbprint of its key; 'stale' if only the proof's time is wrong; undefined
 * if the proof is invalid for any other reason
 */
export async function verifyProof(proof: string, request: Proven): Promise<SoundProof | 'stale' | undefined> {
  if (proof.length > longestProof) return undefined
  const verified = await jwtVerify(proof, EmbeddedJWK, {
    algorithms: proofAlgs,
    typ: 'dpop+jwt',
    requiredClaims: ['jti', 'iat', 'htm', 'htu', ...(request.accessToken === undefined ? [] : ['ath'])],
  }).catch(() => undefined)
  if (!verified) return undefined
  const { payload, protectedHeader } = verified
  const { jti, iat, htm, htu, ath, nonce } = payload
  const isSound =
    htm === request.method &&
    isSameAddress(htu, request.url) &&
    (request.accessToken === undefined || ath === hashOf(request.accessToken)) &&
    (nonce === undefined || typeof nonce === 'string') &&
    typeof iat === 'number'
  if (!isSound || typeof jti !== 'string' || jti === '' || jti.length > longestId) return undefined
  if (Math.abs(Date.now() / 1000 - iat) > proofSeconds) return 'stale'
  return { jti, thumbprint: await calculateJwkThumbprint(protectedHeader.jwk as JWK) }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/**
 * Returns whether the URL in a proof, without its query and fragment, is equal to a URL (RFC 9449 section
 * 4.3, item 9).
 */
function isSameAddress(claimed: unknown, url: string): boolean {
  const parsed = typeof claimed === 'string' ? URL.parse(claimed) : null
  if (!parsed) return false
  parsed.hash = ''
  parsed.search = ''
  return parsed.href === new URL(url).href
}

/** A request to a protected resource with a DPoP-bound token. */
type ProvenRequest = Proven & {
  /** The DPoP header. */
  proof: string | undefined
  accessToken: string
  /** The thumbprint of the token's key. */
  boundTo: string
  clientId: string
}

/**
 * Verifies the proof that the API or /mcp received with a bound token. Marks the proof as used if it is
 * valid.
 * @returns whether the sender has the key and the proof was not used before
 */
export async function holdsKey({ proof, boundTo, clientId, ...request }: ProvenRequest): Promise<boolean> {
  const sound = proof === undefined ? undefined : await verifyProof(proof, request)
  if (!sound || sound === 'stale' || sound.thumbprint !== boundTo) return false
  return isNew(clientId, sound.jti)
}

/**
 * Stores a proof's ID under the name that oidc-provider uses, so that a proof works only once across the
 * OAuth endpoints, the API, and /mcp. Returns no row if the proof was used before.
 */
const remember = statement<{ hash: Buffer }, [hash: Buffer, payload: string, seconds: number]>(
  'proof-remember',
  `INSERT INTO oauth_artifacts AS known (hash, model, payload, expires_at)
   VALUES ($1, 'ReplayDetection', $2::jsonb, now() + make_interval(secs => $3))
   ON CONFLICT (hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at
     WHERE known.expires_at < excluded.created_at
   RETURNING hash`,
)

async function isNew(clientId: string, jti: string): Promise<boolean> {
  const id = createHash('sha256').update(`${clientId}${jti}`).digest('base64url')
  const rows = await remember(hashCredential(id), JSON.stringify({ iss: clientId }), proofRememberedSeconds)
  return rows.length === 1
}
