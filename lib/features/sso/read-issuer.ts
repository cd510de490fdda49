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

/** What is asked of a provider's metadata (OpenID Connect Discovery section 3). */
export type IssuerMetadata = {
  issuer: string
  jwks_uri: string
  /** How it signs id_tokens, and how clients authenticate there; empty where it does not say. */
  algs: string[]
  authMethods: string[]
}

const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []

const withoutSlash = (issuer: string): string => issuer.replace(/\/$/, '')

/** JSON at an address that a workspace's admin named. @throws OutboundError */
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
    // Told below.
  }
  throw new OutboundError('content-type', 'The provider did not respond with JSON.')
}

/**
 * Reads the metadata of an issuer by discovery.
 * @param issuer with or without a slash at the end; the answer has it as the provider writes it
 * @throws OutboundError also where the metadata is somebody else's, or says no address that takes a sign-in
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

/** So long a key that its provider withdrew can still count. */
const keptMs = 5 * 60_000

/** A key that is not known is asked for so often at most, whoever claims to have signed with one; keys that could not be read as well. */
const pauseMs = 30_000

const kept = () => remember('keys of identity providers', () => new Map<string, Known>())

/** What jose calls an error of its own; undefined for any other. By its name, because Next bundles the library a second time. */
export const joseCode = (error: unknown): string | undefined => {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' && /^ERR_J(OSE|W[A-Z]*)_/.test(code) ? code : undefined
}

/**
 * The key of an issuer that a JWT says it is signed with (RFC 7515 section 4.1.4). Key sets are kept for minutes; a key that is in none
 * is looked for anew, so that a provider may begin to sign with a new one at any time.
 * @param issuer one that a workspace has set: nothing of the token leads anywhere
 * @throws OutboundError where the keys cannot be read, errors.JOSEError where none fits
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

/** @param atMost how old a set may be, in milliseconds */
function keysOf(issuer: string, atMost: number): Known {
  const now = performance.now()
  const known = kept().get(issuer)
  if (known && now - known.readAt < (known.failed ? pauseMs : atMost)) return known
  const fresh: Known = { keys: readKeys(issuer), readAt: now }
  kept().set(issuer, fresh)
  // What went wrong is told to whoever asks within the pause: else each request of anybody's would be one to the provider.
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
