import { randomBytes } from 'node:crypto'
import { errors } from 'oidc-provider'
import { displayNameFor, unnamed } from '@/lib/base/errors/names'
import { outboundUrlProblem } from '@/lib/base/outbound/check-url'
import { publicKeysProblem } from '@/lib/features/apps/public-keys'
import { redirectUriProblems } from '@/lib/features/apps/redirect-uri'
import { clientSource, dynamicPrefix } from '@/lib/policy/scopes'
import { deviceGrant } from '../protocol/routes'

/**
 * Client metadata from a registration or a metadata document (RFC 7591 section 2). The functions of this
 * module change it in place.
 */
export type Metadata = Record<string, unknown>

const grants = ['authorization_code', 'refresh_token', deviceGrant]
const mostRedirectUris = 10

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/**
 * Corrects common mistakes in agent registrations, so that the agents can connect:
 * - Derives `application_type` from the redirect URIs. A custom scheme or a loopback redirect URI needs
 *   "native", but some agents send "web".
 * - Adds `refresh_token` to the grant types and, unless the device grant is the only supported one,
 *   `authorization_code`. Removes grant and response types that this server does not support.
 * - Corrects or replaces a name that cannot be shown or is misleading (`displayNameFor`).
 * - Removes `scope`, because it would limit later requests but is often outdated or copied from the resource
 *   metadata. Also removes `default_acr_values`.
 * @throws errors.InvalidClientMetadata for too many or unacceptable redirect URIs, including those for
 *   logout, URLs that this server cannot call, a logo URL without https, and unusable keys
 */
export function normalizeMetadata(metadata: Metadata): void {
  delete metadata.scope
  delete metadata.default_acr_values
  const asked = strings(metadata.grant_types).filter((grant) => grants.includes(grant))
  const deviceOnly = asked.length > 0 && asked.every((grant) => grant === deviceGrant)
  metadata.grant_types = deviceOnly
    ? [deviceGrant, 'refresh_token']
    : [...new Set(['authorization_code', 'refresh_token', ...asked])]
  metadata.response_types = deviceOnly ? [] : ['code']
  const { client_name: name = '' } = metadata
  if (typeof name === 'string') metadata.client_name = displayNameFor(name, homeOf(metadata))
  checkCalledAddresses(metadata)
  checkKeys(metadata)
  checkAddresses(metadata, 'redirect_uris')
  checkAddresses(metadata, 'post_logout_redirect_uris')
  if (Array.isArray(metadata.redirect_uris)) {
    metadata.application_type = applicationType(strings(metadata.redirect_uris))
  }
}

/**
 * Corrects a client ID metadata document, as `normalizeMetadata` corrects a registration. A client with such
 * a document cannot have a secret, but it can have a key. Any authentication method except `private_key_jwt`
 * with a key becomes `none`.
 */
export function normalizeDocument(metadata: Metadata): void {
  const hasKey = metadata.jwks !== undefined || metadata.jwks_uri !== undefined
  if (metadata.token_endpoint_auth_method !== 'private_key_jwt' || !hasKey) {
    metadata.token_endpoint_auth_method = 'none'
  }
  normalizeMetadata(metadata)
}

/**
 * Rejects URLs that this server can never call, and logo URLs without https. If such a URL were accepted,
 * later calls would fail without anyone noticing.
 */
function checkCalledAddresses(metadata: Metadata): void {
  for (const name of ['backchannel_logout_uri', 'jwks_uri']) {
    const problem = typeof metadata[name] === 'string' ? outboundUrlProblem(metadata[name]) : undefined
    if (problem) refuse(`${name}: ${problem}`)
  }
  const { logo_uri: logo } = metadata
  if (typeof logo === 'string' && !/^https:/i.test(logo)) refuse('logo_uri: must be an https URL')
}

function checkKeys({ jwks }: Metadata): void {
  const problem = jwks === undefined ? undefined : publicKeysProblem(jwks)
  if (problem) refuse(`jwks: ${problem}`)
}

function checkAddresses(metadata: Metadata, name: 'redirect_uris' | 'post_logout_redirect_uris'): void {
  const uris = strings(metadata[name])
  if (uris.length > mostRedirectUris) refuse(`${name}: a client can have up to ${mostRedirectUris}`)
  const problems = redirectUriProblems(uris, 'NATIVE', true)
  if (problems.length > 0) refuse(`${name}: ${problems.join(' ')}`)
}

/**
 * Returns `native` for a client with a custom scheme or a loopback redirect URI, regardless of its registered
 * type, and `web` for any other client.
 */
const applicationType = (uris: string[]) =>
  uris.some((uri) => !uri.toLowerCase().startsWith('https:')) ? 'native' : 'web'

/**
 * Returns the text that replaces a missing, unreadable, or misleading name: the host of the document or of
 * the first https redirect URI, or `unnamed` if there is no such URI.
 */
function homeOf({ client_id, redirect_uris }: Metadata): string {
  const document = clientSource(String(client_id)) === 'METADATA_DOCUMENT'
  const home = (document ? [String(client_id)] : strings(redirect_uris)).find((uri) =>
    uri.startsWith('https://'),
  )
  return (home && URL.parse(home)?.host) || unnamed
}

function refuse(description: string): never {
  throw new errors.InvalidClientMetadata(description)
}

/** Returns a new ID for a self-registered client. */
export const newDynamicClientId = (): string => `${dynamicPrefix}${randomBytes(16).toString('hex')}`
