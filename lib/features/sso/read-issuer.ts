import {
  type CompactJWSHeaderParameters,
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
} from 'jose'
import { OutboundError } from '@/lib/base/outbound/check-url'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { remember } from '@/lib/base/process/remember'

/** The part of a provider's metadata (OpenID Connect Discovery section 3) that `readIssuer` returns. */
export type IssuerMetadata = {
  issuer: string
  jwks_uri: string
  /** The signature algorithms for ID tokens. Empty if the metadata does not list any. */
  algs: string[]
  /** The client authentication methods at the token endpoint. Empty if the metadata does not list any. */
  authMethods: string[]
}

const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []

const withoutSlash = (issuer: string): string => issuer.replace(/\/$/, '')

/**
 * Fetches a JSON object or array from a provider. A workspace admin entered the URL, or it comes from the
 * provider's metadata.
 * @throws OutboundError if the request fails, or if the response does not have status 200 and a JSON object
 * or array
 */
async function fetchJson(address: string): Promise<Record<string, unknown>> {
  const { status, body } = await guardedFetch(address, {
    purpose: 'identity-provider',
    headers: { accept: 'application/json' },
  })
  if (status !== 200) throw new OutboundError('network', `The provider responded with ${status}.`)
  try {
    const read: unknown = JSON.parse(body.toString('utf8'))
    if (typeof read === 'object' && read !== null) return read as Record<string, unknown>
  } catch {
    // Continue to the error below.
  }
  throw new OutboundError('content-type', 'The provider did not respond with JSON.')
}

/**
 * Reads an issuer's metadata through OpenID Connect Discovery.
 * @param issuer the issuer, with or without a trailing slash; the result contains the issuer exactly as in
 * the metadata
 * @throws OutboundError if the metadata cannot be read, is for another issuer, or is incomplete
 */
export async function readIssuer(issuer: string): Promise<IssuerMetadata> {
  const metadata = await fetchJson(`${withoutSlash(issuer)}/.well-known/openid-configuration`)
  const { issuer: named, jwks_uri: keys, authorization_endpoint: signIn, token_endpoint: tokens } = metadata
  if (typeof named !== 'string' || withoutSlash(named) !== withoutSlash(issuer)) {
    throw new OutboundError('url', 'The metadata is for another issuer.')
  }
  if (typeof keys !== 'string' || typeof signIn !== 'string' || typeof tokens !== 'string') {
    throw new OutboundError('content-type', 'The response is not the metadata of an OpenID provider.')
  }
  return {
    issuer: named,
    jwks_uri: keys,
    algs: textsIn(metadata.id_token_signing_alg_values_supported),
    authMethods: textsIn(metadata.token_endpoint_auth_methods_supported),
  }
}

type KeySet = ReturnType<typeof createLocalJWKSet>
type Known = { keys: Promise<KeySet>; readAt: number; failed?: boolean }

/**
 * The maximum age of a cached key set, in milliseconds. A key that its provider withdraws might still be
 * accepted for this time.
 */
const keptMs = 5 * 60_000

/**
 * The minimum time, in milliseconds, between two fetches of an issuer's keys after a failure or for an
 * unknown key. Without this pause, an app could trigger unlimited fetches by sending JWTs with unknown keys.
 */
const pauseMs = 30_000

const kept = () => remember('keys of identity providers', () => new Map<string, Known>())

/**
 * Returns the code of an error from jose, or undefined for other errors. Next.js bundles the library twice,
 * so `instanceof` does not work.
 */
export const joseCode = (error: unknown): string | undefined => {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' && /^ERR_J(OSE|W[A-Z]*)_/.test(code) ? code : undefined
}

/**
 * Returns the issuer's key that the header of a JWT identifies (RFC 7515 section 4.1.4). Key sets are cached
 * for a few minutes. If the cached set does not contain the key, the set is fetched again, because providers
 * can rotate keys at any time. However, a set is never fetched again within `pauseMs`.
 * @param issuer an issuer that a workspace has set, and never an unchecked value from the token
 * @throws OutboundError if the keys cannot be read; errors.JOSEError if no key or more than one key matches
 */
export async function issuerKey(
  issuer: string,
  header: CompactJWSHeaderParameters,
  token: FlattenedJWSInput,
) {
  const known = keysOf(issuer, keptMs)
  try {
    return await (await known.keys)(header, token)
  } catch (error) {
    if (joseCode(error) !== errors.JWKSNoMatchingKey.code) throw error
    const again = keysOf(issuer, pauseMs)
    if (again === known) throw error
    return (await again.keys)(header, token)
  }
}

/**
 * Returns the cached key set of an issuer, or starts to fetch it.
 * @param atMost the maximum age of a cached set in milliseconds; a failed fetch is cached for `pauseMs`
 * instead
 */
function keysOf(issuer: string, atMost: number): Known {
  const now = performance.now()
  const known = kept().get(issuer)
  if (known && now - known.readAt < (known.failed ? pauseMs : atMost)) return known
  const fresh: Known = { keys: readKeys(issuer), readAt: now }
  kept().set(issuer, fresh)
  // Mark a failed fetch, so that it is cached for `pauseMs` and not longer. If failures were not cached,
  // every assertion could trigger a request to the provider.
  fresh.keys.catch(() => {
    fresh.failed = true
  })
  return fresh
}

async function readKeys(issuer: string): Promise<KeySet> {
  const { jwks_uri, issuer: named } = await readIssuer(issuer)
  if (named !== issuer) throw new OutboundError('url', 'The metadata is for another issuer.')
  try {
    return createLocalJWKSet((await fetchJson(jwks_uri)) as unknown as JSONWebKeySet)
  } catch (error) {
    if (joseCode(error) !== errors.JWKSInvalid.code) throw error
    throw new OutboundError('content-type', 'The provider’s jwks_uri does not return a JSON Web Key Set.')
  }
}
