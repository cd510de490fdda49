import { errors } from 'oidc-provider'
import { redirectUriProblem } from '@/lib/oauth-apps/redirect-uri'
import { outboundUrlProblem } from '@/lib/outbound/check-url'
import { deviceGrant } from '../store/client-record'

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
 * - a `scope`, often historic or copied from the resource's metadata, that would later bar the app from asking for more.
 * @throws errors.InvalidClientMetadata for redirect URIs that are too many, dangerous, or plain http beyond this machine,
 *   and for addresses that cannot be called from here
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
  if (typeof metadata.client_name === 'string') metadata.client_name = oneLine(metadata.client_name)
  if (Array.isArray(metadata.redirect_uris)) checkRedirectUris(metadata, strings(metadata.redirect_uris))
  checkCalledAddresses(metadata)
}

/** The same for a client-ID metadata document, whose client has no secret: it must not be told that it needs one. */
export function normaliseDocument(metadata: Metadata): void {
  metadata.token_endpoint_auth_method = 'none'
  normaliseMetadata(metadata)
}

/** Addresses that are called from here: one that never can be is refused now, not when nobody is there to read why. */
function checkCalledAddresses(metadata: Metadata): void {
  for (const name of ['backchannel_logout_uri', 'jwks_uri']) {
    const problem = typeof metadata[name] === 'string' ? outboundUrlProblem(metadata[name]) : undefined
    if (problem) refuse(`${name}: ${problem}`)
  }
}

function checkRedirectUris(metadata: Metadata, uris: string[]): void {
  if (uris.length > mostRedirectUris) refuse(`redirect_uris must not be more than ${mostRedirectUris}`)
  for (const uri of uris) {
    const problem = isLocalhost(uri) ? undefined : redirectUriProblem(uri, 'NATIVE')
    if (problem) refuse(`redirect_uris: ${problem}`)
  }
  metadata.application_type = uris.some((uri) => !uri.toLowerCase().startsWith('https:')) ? 'native' : 'web'
}

/** Refused for apps of the settings, where a person can be told to write 127.0.0.1; agents cannot be told. */
function isLocalhost(uri: string): boolean {
  const url = URL.parse(uri)
  return url?.protocol === 'http:' && url.hostname === 'localhost' && !url.hash && !url.username
}

/** A name is shown on the consent page, so it must not break out of its line or push the rest away. */
const oneLine = (name: string) =>
  name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, 100) || 'Unnamed app'

function refuse(description: string): never {
  throw new errors.InvalidClientMetadata(description)
}
