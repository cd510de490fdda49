import { createHash } from 'node:crypto'
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, jwtVerify } from 'jose'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { statement } from '@/lib/base/db/statements'

/** The algorithms of proofs that are accepted, here and by the engine. */
export const proofAlgs: ('ES256' | 'EdDSA')[] = ['ES256', 'EdDSA']

/** How far the clock of a proof can be off, in seconds. */
const proofSeconds = 300

/**
 * How long the id of a proof is remembered, in seconds: one from a clock that is ahead is good for twice as long, first until
 * its time comes and then until it has passed.
 */
export const proofRememberedSeconds = 2 * proofSeconds

/** The longest proof and the longest `jti` that are accepted, in characters. A UUID has 36. */
const longestProof = 8_192
const longestId = 256

/** What a proof is for: a request, and the access token that goes with it where there is one. */
type Proven = {
  method: string
  /** The address of the request without its query. */
  url: string
  accessToken?: string | undefined
}

/** A proof that is sound, except that it might have been used before. */
type SoundProof = { jti: string; thumbprint: string }

/**
 * Judges a DPoP proof (RFC 9449 section 4.3). Every endpoint uses this rule: the API and /mcp through `holdsKey`, the OAuth
 * endpoints before the engine reads the proof.
 * @returns 'stale' for a proof whose time alone is wrong; undefined for any other fault. Nothing but the proof is looked at,
 *   so whatever goes wrong is its fault
 */
export async function judgeProof(proof: string, request: Proven): Promise<SoundProof | 'stale' | undefined> {
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

/** Compares whole addresses, except for query and fragment (RFC 9449 section 4.3, item 9). */
function isSameAddress(claimed: unknown, url: string): boolean {
  const parsed = typeof claimed === 'string' ? URL.parse(claimed) : null
  if (!parsed) return false
  parsed.hash = ''
  parsed.search = ''
  return parsed.href === new URL(url).href
}

/** A request to a protected resource with a token that is bound to a key. */
type ProvenRequest = Proven & {
  /** The DPoP header. */
  proof: string | undefined
  accessToken: string
  /** Thumbprint of the key that the token is bound to. */
  boundTo: string
  clientId: string
}

/**
 * Checks the proof that comes with a bound token at the API, and uses it up.
 * @returns whether the sender holds the key
 */
export async function holdsKey({ proof, boundTo, clientId, ...request }: ProvenRequest): Promise<boolean> {
  const sound = proof === undefined ? undefined : await judgeProof(proof, request)
  if (!sound || sound === 'stale' || sound.thumbprint !== boundTo) return false
  return isNew(clientId, sound.jti)
}

/**
 * Among the engine's own artifacts, under the name that the engine gives it: a proof is good once for the OAuth endpoints
 * and the API together. No row comes back when it was there already.
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
