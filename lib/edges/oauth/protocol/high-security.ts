import { type Client, errors } from 'oidc-provider'
import { highSecurityProblem } from '@/lib/features/apps/app-metadata'

/** The grant of devices without a browser (RFC 8628 section 3.4). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** The grant of an app that asks for itself (RFC 6749 section 4.4): of apps that can be installed, and of no others. */
export const clientCredentialsGrant = 'client_credentials'

/** The grant of an app that a company's identity provider sends (RFC 7523 section 2.1): of apps that an admin lets, and of no others. */
export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** The profile of it that is taken here (draft-ietf-oauth-identity-assertion-authz-grant, section 7.2). */
export const idJagProfile = 'urn:ietf:params:oauth:grant-profile:id-jag'

/** Grants that exist for some apps alone: neither the metadata of docs/contract.md nor a refusal tells the others of them. */
export const grantsOfSome: readonly string[] = [clientCredentialsGrant, jwtBearerGrant]

/** Whether an app asked to be held to the FAPI 2.0 Security Profile: client metadata `high_security`. See decision 088. */
export const isHighSecurity = (client: Client | undefined): boolean =>
  (client as { high_security?: boolean } | undefined)?.high_security === true

/** RSA with PKCS #1 v1.5 padding is left out of the profile (FAPI 2.0 Security Profile section 5.4.1). */
export const refusesAlg = (alg: unknown): boolean => alg === 'RS256'

/**
 * Makes a client's metadata say what high security means, wherever the client comes from and whenever it is loaded: the
 * engine then holds it to each of its parts.
 * @throws errors.InvalidClientMetadata where the rest of the metadata stands against it
 */
export function implyHighSecurity(metadata: Record<string, unknown>): void {
  const { high_security: wanted } = metadata
  if (wanted === undefined || wanted === false) return
  if (wanted !== true) throw new errors.InvalidClientMetadata('high_security must be a boolean')
  const problem = highSecurityProblem({
    authMethod: metadata.token_endpoint_auth_method,
    redirectUris: Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris : [],
  })
  if (problem) throw new errors.InvalidClientMetadata(`high_security: ${problem.message}`)
  for (const name of ['token_endpoint_auth_signing_alg', 'request_object_signing_alg']) {
    if (refusesAlg(metadata[name])) {
      throw new errors.InvalidClientMetadata(`high_security: ${name} must be PS256, ES256 or EdDSA`)
    }
  }
  for (const name of ['id_token_signed_response_alg', 'userinfo_signed_response_alg']) {
    if (refusesAlg(metadata[name])) metadata[name] = 'ES256'
  }
  metadata.require_pushed_authorization_requests = true
  metadata.dpop_bound_access_tokens = true
  metadata.grant_types = (metadata.grant_types as string[]).filter((grant) => grant !== deviceGrant)
}
