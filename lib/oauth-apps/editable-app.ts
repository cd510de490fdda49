import type { OAuthClient } from '@/lib/generated/prisma/client'
import { defaultSigningAlg, type SigningAlg, signingAlgs } from '@/lib/signing-keys/generate-key'

/** What an app's id_tokens are signed with. */
export const idTokenAlgOf = ({ metadata }: Pick<OAuthClient, 'metadata'>): SigningAlg =>
  signingAlgs.find((alg) => alg === (metadata as Record<string, unknown>).id_token_signed_response_alg) ??
  defaultSigningAlg

/** The part of an app that its admins change in the settings, as `updateAppInput` takes it. */
export const editableApp = (app: OAuthClient) => ({
  id: app.id,
  name: app.name,
  redirectUris: app.redirectUris,
  postLogoutRedirectUris: app.postLogoutRedirectUris,
  requirePushedAuthorization: app.requirePushedAuthorization,
  idTokenAlg: idTokenAlgOf(app),
  backchannelLogoutUri: String((app.metadata as Record<string, unknown>).backchannel_logout_uri ?? ''),
})
