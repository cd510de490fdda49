import type { Configuration } from 'oidc-provider'
import { derivedKey } from '@/lib/base/credentials/seal'
import { mintCredential } from '@/lib/base/credentials/tokens'
import { isHighSecurity } from '../protocol/high-security'
import { allowClient, allowFetch, cacheDuration } from '../registration/metadata-documents'
import { newDynamicClientId } from '../registration/new-client-id'
import { logoutSource, postLogoutSuccessSource } from '../sign-out/logout-pages'
import { assertRequestObject } from './client-keys'
import { defaultResource, resourceServerInfo } from './resource-servers'

/** RFC 7009 and 7662: an app may ask about its own tokens. */
export const mayAskAbout = (
  client: { clientId: string },
  token: { clientId?: string | undefined },
): boolean => token.clientId === client.clientId

/** What of OAuth and OpenID Connect is on (docs/contract.md, section 1). Whatever is not named here is off or as the engine has it. */
export const features = (): Configuration['features'] => ({
  devInteractions: { enabled: false },
  claimsParameter: { enabled: true },
  userinfo: { enabled: true },
  // OpenID Connect Core section 5.3.2: signed for clients that register `userinfo_signed_response_alg`.
  jwtUserinfo: { enabled: true },
  // RFC 8628. Codes are typed on our own pages (app/device), so the engine's stay unreachable.
  deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
  // RFC 6749 section 4.4, for installations. What metadata and answers say of it: engine/answer-rules.
  clientCredentials: { enabled: true },
  // RFC 7591 and 7592. The registration token stays stable, because agents lose a rotated one.
  registration: {
    enabled: true,
    initialAccessToken: false,
    issueRegistrationAccessToken: true,
    idFactory: newDynamicClientId,
    secretFactory: () => mintCredential('clientSecret'),
  },
  registrationManagement: { enabled: true, rotateRegistrationAccessToken: false },
  clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch, allowClient, cacheDuration },
  // Keys sign by themselves (lib/edges/oauth/engine/signer).
  externalSigningSupport: { enabled: true, ack: 'experimental-01' },
  // RFC 9101, by value: the only reference there is comes from a pushed request.
  requestObjects: { enabled: true, assertJwtClaimsAndHeader: assertRequestObject },
  fapi: { enabled: true, profile: (_ctx, client) => (isHighSecurity(client) ? '2.0' : undefined) },
  // RFC 9126
  pushedAuthorizationRequests: { enabled: true, allowUnregisteredRedirectUris: false },
  revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => mayAskAbout(client, token) },
  introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => mayAskAbout(client, token) },
  rpInitiatedLogout: { enabled: true, logoutSource, postLogoutSuccessSource },
  backchannelLogout: { enabled: true },
  // RFC 9449
  dPoP: { enabled: true, nonceSecret: derivedKey('dpop-nonce'), requireNonce: () => false },
  // RFC 8707
  resourceIndicators: {
    enabled: true,
    getResourceServerInfo: resourceServerInfo,
    defaultResource,
    useGrantedResource: async () => false,
  },
})
