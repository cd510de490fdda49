import { defaultSigningAlg, type SigningAlg, signingAlgs } from '@/lib/features/signing-keys/generate-key'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import { allowedScopesOf } from './allowed-scopes'
import { hasKey } from './app-metadata'
import { profileOf } from './app-profile'

/** What an app's id_tokens are signed with. */
export const idTokenAlgOf = ({ metadata }: Pick<OAuthClient, 'metadata'>): SigningAlg =>
  signingAlgs.find((alg) => alg === (metadata as Record<string, unknown>).id_token_signed_response_alg) ??
  defaultSigningAlg

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2)

/** The part of an app that its admins change in the settings, as `updateAppInput` takes it. */
export function editableApp(app: OAuthClient) {
  const metadata = app.metadata as Record<string, unknown>
  return {
    id: app.id,
    type: app.type,
    name: app.name,
    profile: { ...profileOf(app), website: app.homepageUrl },
    redirectUris: app.redirectUris,
    postLogoutRedirectUris: app.postLogoutRedirectUris,
    requirePushedAuthorization: app.requirePushedAuthorization,
    idTokenAlg: idTokenAlgOf(app),
    backchannelLogoutUri: textOf(metadata.backchannel_logout_uri),
    clientAuthentication: hasKey(app) ? ('PRIVATE_KEY' as const) : ('SECRET' as const),
    publicKeys: textOf(metadata.jwks_uri ?? metadata.jwks),
    requireSignedRequests: metadata.require_signed_request_object === true,
    highSecurity: metadata.high_security === true,
    installScopes: app.installScopes,
    allowedScopes: allowedScopesOf(app),
  }
}

export type EditableApp = ReturnType<typeof editableApp>
