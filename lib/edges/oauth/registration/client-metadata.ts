import { randomBytes } from 'node:crypto'
import { errors } from 'oidc-provider'
import { presentableName, unnamed } from '@/lib/base/errors/names'
import { outboundUrlProblem } from '@/lib/base/outbound/check-url'
import { publicKeysProblem } from '@/lib/features/apps/public-keys'
import { redirectUriProblems } from '@/lib/features/apps/redirect-uri'
import { clientSource, dynamicPrefix } from '@/lib/policy/scopes'
import { deviceGrant } from '../protocol/routes'

/** Client metadata on its way in (RFC 7591 section 2), changed in place. */
export type Metadata = Record<string, unknown>

const grants = ['authorization_code', 'refresh_token', deviceGrant]
const mostRedirectUris = 10

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/**
 * Puts right what real agents get wrong in their registration, so that they connect instead of failing:
 * - `application_type` "web" with a custom scheme or a loopback address, which is what a native app has;
 * - grants without `refresh_token`, and grants or response types this server does not have;
 * - a name that cannot be shown, or says what the app is not; the host takes its place;
 * - a `scope`, often historic or copied from the resource's metadata, that would later bar the app from asking for more.
 * @throws errors.InvalidClientMetadata for redirect URIs that are too many, dangerous, or plain http beyond this machine,
 *   for addresses that cannot be called from here, and for keys that nothing can be checked with
 */
export function normaliseMetadata(metadata: Metadata): void {
  delete metadata.scope
  delete metadata.default_acr_values
  const asked = strings(metadata.grant_types).filter((grant) => grants.includes(grant))
  const deviceOnly = asked.length > 0 && asked.every((grant) => grant === deviceGrant)
  metadata.grant_types = deviceOnly
    ? [deviceGrant, 'refresh_token']
    : [...new Set(['authorization_code', 'refresh_token', ...asked])]
  metadata.response_types = deviceOnly ? [] : ['code']
  const { client_name: name = '' } = metadata
  if (typeof name === 'string') metadata.client_name = presentableName(name, homeOf(metadata))
  checkCalledAddresses(metadata)
  checkKeys(metadata)
  checkAddresses(metadata, 'redirect_uris')
  checkAddresses(metadata, 'post_logout_redirect_uris')
  if (Array.isArray(metadata.redirect_uris)) {
    metadata.application_type = applicationType(strings(metadata.redirect_uris))
  }
}

/**
 * The same for a client-ID metadata document, whose client has no secret: it must not be told that it needs one. A key it
 * can have.
 */
export function normaliseDocument(metadata: Metadata): void {
  const hasKey = metadata.jwks !== undefined || metadata.jwks_uri !== undefined
  if (metadata.token_endpoint_auth_method !== 'private_key_jwt' || !hasKey) {
    metadata.token_endpoint_auth_method = 'none'
  }
  normaliseMetadata(metadata)
}

/** Addresses that are called from here: one that never can be is refused now, not when nobody is there to read why. */
function checkCalledAddresses(metadata: Metadata): void {
  for (const name of ['backchannel_logout_uri', 'jwks_uri']) {
    const problem = typeof metadata[name] === 'string' ? outboundUrlProblem(metadata[name]) : undefined
    if (problem) refuse(`${name}: ${problem}`)
  }
  const { logo_uri: logo } = metadata
  if (typeof logo === 'string' && !/^https:/i.test(logo)) refuse('logo_uri: use an https address')
}

function checkKeys({ jwks }: Metadata): void {
  const problem = jwks === undefined ? undefined : publicKeysProblem(jwks)
  if (problem) refuse(`jwks: ${problem}`)
}

function checkAddresses(metadata: Metadata, name: 'redirect_uris' | 'post_logout_redirect_uris'): void {
  const uris = strings(metadata[name])
  if (uris.length > mostRedirectUris) refuse(`${name} must not be more than ${mostRedirectUris}`)
  const problems = redirectUriProblems(uris, 'NATIVE', true)
  if (problems.length > 0) refuse(`${name}: ${problems.join(' ')}`)
}

/** What has a scheme of its own or returns to this machine is a native app, whatever it says. */
const applicationType = (uris: string[]) =>
  uris.some((uri) => !uri.toLowerCase().startsWith('https:')) ? 'native' : 'web'

/** The host that a nameless client is called by: its document's, or the first it returns to that is no address of this machine. */
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

/** A new id for a client that registers itself. */
export const newDynamicClientId = (): string => `${dynamicPrefix}${randomBytes(16).toString('hex')}`
