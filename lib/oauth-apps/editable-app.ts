import type { OAuthClient } from '@/lib/generated/prisma/client'
import { type IdTokenAlg, idTokenAlgs } from './input'

/** What an app's id_tokens are signed with: ES256 unless it chose otherwise. */
const idTokenAlgOf = ({ metadata }: OAuthClient): IdTokenAlg =>
  idTokenAlgs.find((alg) => alg === (metadata as Record<string, unknown>).id_token_signed_response_alg) ??
  'ES256'

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
