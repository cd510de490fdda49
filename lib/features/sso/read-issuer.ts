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

/** The required provider metadata (OpenID Connect Discovery section 3). */
export type IssuerMetadata = {
  issuer: string
  jwks_uri: string
  /** The signature algorithms of ID tokens and the client authentication methods; empty if not stated. */
  algs: string[]
  authMethods: string[]
}

const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []

const withoutSlash = (issuer: string): string => issuer.replace(/\/$/, '')

/** Fetches JSON from an address that a workspace admin entered. @throws OutboundError */
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
    // Reported below.
  }
  throw new OutboundError('content-type', 'The provider did not respond with JSON.')
}

/**
 * Reads the metadata of an issuer by discovery.
 * @param issuer with or without a trailing slash; the result has the form that the provider uses
 * @throws OutboundError also if the metadata is of another issuer or has no authorization endpoint
 */
export async function readIssuer(issuer: string): Promise<IssuerMetadata> {
  const metadata = await fetchJson(`${withoutSlash(issuer)}/.well-known/openid-configuration`)
  const { issuer: named, jwks_uri: keys, authorization_endpoint: signIn, token_endpoint: tokens } = metadata
  if (typeof named !== 'string' || withoutSlash(named) !== withoutSlash(issuer)) {
    throw new OutboundError('url', 'The metadata names another issuer.')
  }
  if (typeof keys !== 'string' || typeof signIn !== 'string' || typeof tokens !== 'string') {
    throw new OutboundError('content-type', 'This is not the metadata of an OpenID provider.')
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

/** How long a key stays valid after its provider withdrew it. */
const keptMs = 5 * 60_000

/**
 * The minimum time between fetches for an unknown key or after a failure. Anyone can send a JWT with an unknown
 * key.
 */
const pauseMs = 30_000

const kept = () => remember('keys of identity providers', () => new Map<string, Known>())

/**
 * Returns the code of an error from jose; undefined for other errors. Next bundles the library twice, so
 * `instanceof` fails.
 */
export const joseCode = (error: unknown): string | undefined => {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' && /^ERR_J(OSE|W[A-Z]*)_/.test(code) ? code : undefined
}

/**
 * Returns the key with which an issuer claims to have signed a JWT (RFC 7515 section 4.1.4). Key sets are cached
 * for minutes. An unknown key is fetched again, so that providers can rotate keys at any time.
 * @param issuer set by a workspace; the address never comes from the token
 * @throws OutboundError if the keys cannot be read, errors.JOSEError if none matches
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

/** @param atMost the maximum age of a cached set in milliseconds */
function keysOf(issuer: string, atMost: number): Known {
  const now = performance.now()
  const known = kept().get(issuer)
  if (known && now - known.readAt < (known.failed ? pauseMs : atMost)) return known
  const fresh: Known = { keys: readKeys(issuer), readAt: now }
  kept().set(issuer, fresh)
  // Errors are cached for the pause too. Otherwise, anyone could cause a request to the provider with each of
  // theirs.
  fresh.keys.catch(() => {
    fresh.failed = true
  })
  return fresh
}

async function readKeys(issuer: string): Promise<KeySet> {
  const { jwks_uri, issuer: named } = await readIssuer(issuer)
  if (named !== issuer) throw new OutboundError('url', 'The metadata names another issuer.')
  try {
    return createLocalJWKSet((await fetchJson(jwks_uri)) as unknown as JSONWebKeySet)
  } catch (error) {
    if (joseCode(error) !== errors.JWKSInvalid.code) throw error
    throw new OutboundError(
      'content-type',
      'The jwks_uri of the provider does not return a JSON Web Key Set.',
    )
  }
}
