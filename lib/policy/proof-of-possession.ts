import { createHash } from 'node:crypto'
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, jwtVerify } from 'jose'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { statement } from '@/lib/base/db/statement'

/** The algorithms of proofs that are accepted, here and by the engine. */
export const proofAlgs: ('ES256' | 'EdDSA')[] = ['ES256', 'EdDSA']

/** How far a proof's clock may be off, and so how long its id is remembered, in seconds. */
const windowSeconds = 300

/** A request to a protected resource with a token that is bound to a key. */
export type ProvenRequest = {
  /** The DPoP header. */
  proof: string | undefined
  method: string
  /** The resource's address without query. */
  url: string
  accessToken: string
  /** Thumbprint of the key that the token is bound to. */
  boundTo: string
  clientId: string
}

/**
 * Checks the proof that comes with a bound token at the API (RFC 9449 section 4.3); at the OAuth endpoints the engine
 * does the same. A proof is good once.
 * @returns whether the sender holds the key
 */
export async function holdsKey(request: ProvenRequest): Promise<boolean> {
  const jti = request.proof && (await provenId(request, request.proof))
  return jti ? isNew(request.clientId, jti) : false
}

/**
 * The id of a proof that is sound, but for whether it was used before.
 * @returns undefined for every other: nothing is asked here but the proof itself, so that whatever goes wrong is its fault
 */
async function provenId(request: ProvenRequest, proof: string): Promise<string | undefined> {
  const verified = await jwtVerify(proof, EmbeddedJWK, {
    algorithms: proofAlgs,
    typ: 'dpop+jwt',
    requiredClaims: ['jti', 'iat', 'htm', 'htu', 'ath'],
  }).catch(() => undefined)
  if (!verified) return undefined
  const { payload, protectedHeader } = verified
  const age = Math.abs(Date.now() / 1000 - Number(payload.iat))
  const key = await calculateJwkThumbprint(protectedHeader.jwk as JWK)
  const sound =
    age <= windowSeconds &&
    payload.htm === request.method &&
    sameResource(payload.htu, request.url) &&
    payload.ath === createHash('sha256').update(request.accessToken).digest('base64url') &&
    key === request.boundTo
  return sound && typeof payload.jti === 'string' ? payload.jti : undefined
}

function sameResource(claimed: unknown, url: string): boolean {
  const parsed = typeof claimed === 'string' ? URL.parse(claimed) : null
  return parsed !== null && parsed.origin + parsed.pathname === url
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
  const rows = await remember(hashCredential(id), JSON.stringify({ iss: clientId }), windowSeconds)
  return rows.length === 1
}
