import { OutboundError } from '@/lib/base/outbound/check-url'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'

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
export async function fetchJson(address: string): Promise<Record<string, unknown>> {
  const { status, body } = await guardedFetch(address, {
    purpose: 'identity-provider',
    headers: { accept: 'application/json' },
  })
  if (status !== 200) throw new OutboundError('network', `The provider answered ${status}.`)
  try {
    const read: unknown = JSON.parse(body.toString('utf8'))
    if (typeof read === 'object' && read !== null) return read as Record<string, unknown>
  } catch {
    // Told below.
  }
  throw new OutboundError('content-type', 'The provider answered with something else than JSON.')
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
    throw new OutboundError('url', 'The metadata there names another issuer.')
  }
  if (typeof keys !== 'string' || typeof signIn !== 'string' || typeof tokens !== 'string') {
    throw new OutboundError('content-type', 'The metadata there is not that of an OpenID provider.')
  }
  return {
    issuer: named,
    jwks_uri: keys,
    algs: textsIn(metadata.id_token_signing_alg_values_supported),
    authMethods: textsIn(metadata.token_endpoint_auth_methods_supported),
  }
}
