import type { z } from 'zod'
import { badInput } from '@/lib/base/errors/app-error'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import { requestableScopes } from '@/lib/policy/scopes'
import type { updateAppInput } from './input'

/** A setting that prevents high security, and the reason. */
export type HighSecurityProblem = { field: 'clientAuthentication' | 'redirectUris'; message: string }

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d+)?([/?]|$)/

/**
 * Returns the first setting that violates one of two requirements of the FAPI 2.0 Security Profile, or
 * undefined if both requirements are met. The app must authenticate with a key (section 5.3.2.1). Each
 * redirect URI must use https, or plain http with a loopback IP address (section 5.3.2.2).
 * @param app `authMethod` is the app's `token_endpoint_auth_method`
 */
export function highSecurityProblem(app: {
  authMethod: unknown
  redirectUris: readonly unknown[]
}): HighSecurityProblem | undefined {
  if (app.authMethod !== 'private_key_jwt') {
    return {
      field: 'clientAuthentication',
      message: 'An app with high security must authenticate with a private key (private_key_jwt).',
    }
  }
  const open = app.redirectUris.find((uri) => !/^https:/i.test(String(uri)) && !loopback.test(String(uri)))
  return open === undefined
    ? undefined
    : {
        field: 'redirectUris',
        message: `An app with high security must use redirect URIs with https or on 127.0.0.1. Change ${open}.`,
      }
}

type Changes = z.output<ReturnType<typeof updateAppInput>>
type Metadata = Record<string, unknown>

/**
 * The settings that are stored as client metadata (RFC 7591 section 2), each with a function that converts
 * its value to metadata.
 */
const kept = {
  idTokenAlg: (alg) => ({ id_token_signed_response_alg: alg }),
  // Require logout tokens to contain the ID of the session that ended. A logout token without a session ID
  // would end all the user's sessions in the app.
  backchannelLogoutUri: (address) => ({
    backchannel_logout_uri: address || undefined,
    backchannel_logout_session_required: address ? true : undefined,
  }),
  clientAuthentication: (way) => ({
    token_endpoint_auth_method: way === 'PRIVATE_KEY' ? 'private_key_jwt' : undefined,
  }),
  publicKeys: ({ jwks, jwksUri }) => ({ jwks, jwks_uri: jwksUri }),
  description: (text) => ({ description: text || undefined }),
  support: (contact) => ({ contacts: contact ? [contact] : undefined }),
  privacyUrl: (address) => ({ policy_uri: address || undefined }),
  termsUrl: (address) => ({ tos_uri: address || undefined }),
  requireSignedRequests: (required) => ({ require_signed_request_object: required || undefined }),
  highSecurity: (on) => ({ high_security: on || undefined }),
} satisfies { [Name in keyof Changes]?: (value: NonNullable<Changes[Name]>) => Metadata }

/**
 * Splits an app's new settings into columns and client metadata. If the changes enable high security, also
 * sets the required settings that can be set automatically.
 * @param before the current metadata. Values that the changes do not affect remain.
 */
export function toColumns(before: unknown, changes: Partial<Changes>) {
  const columns: Metadata = { ...changes }
  let metadata = before as Metadata
  for (const [name, toMetadata] of Object.entries(kept)) {
    const value = columns[name]
    delete columns[name]
    if (value !== undefined) metadata = { ...metadata, ...toMetadata(value as never) }
  }
  if (changes.highSecurity) {
    const { id_token_signed_response_alg: alg } = metadata
    metadata = {
      ...metadata,
      token_endpoint_auth_method: 'private_key_jwt',
      id_token_signed_response_alg: alg === 'EdDSA' ? alg : 'ES256',
    }
    columns.requirePushedAuthorization = true
  }
  const set = Object.entries(metadata).filter(([, value]) => value !== undefined)
  return {
    ...(columns as Omit<Changes, keyof typeof kept>),
    metadata: Object.fromEntries(set) as Record<string, string | boolean | object>,
  }
}

/** Returns whether an app authenticates with a key instead of a secret. */
export const hasKey = ({ metadata }: { metadata: unknown }): boolean =>
  (metadata as Metadata).token_endpoint_auth_method === 'private_key_jwt'

/** Returns whether an app must have public keys: to authenticate, or to sign its requests. */
export const needsKeys = ({ metadata }: { metadata: unknown }): boolean =>
  hasKey({ metadata }) || (metadata as Metadata).require_signed_request_object === true

type Settings = Pick<OAuthClient, 'type' | 'redirectUris'> & {
  installScopes?: readonly string[] | undefined
  allowedScopes?: readonly string[] | undefined
  requirePushedAuthorization?: boolean | undefined
  metadata: Metadata
}

/**
 * Checks that the settings of a new or changed app are compatible with each other.
 * @throws AppError BAD_USER_INPUT that names the setting to change
 */
export function checkSettings({
  type,
  redirectUris,
  requirePushedAuthorization,
  installScopes = [],
  allowedScopes = [],
  metadata,
}: Settings): void {
  if (installScopes.length > 0 && type === 'NATIVE') {
    throw badInput('installScopes', 'A native app has no credentials of its own, so it can’t be installed.')
  }
  const beyond = installScopes.find(
    (scope) => !requestableScopes(installScopes, allowedScopes).includes(scope),
  )
  if (beyond) {
    throw badInput(
      'allowedScopes',
      `The app’s installation scopes include ${beyond}. Allow this scope, or remove it from the installation scopes first.`,
    )
  }
  const { token_endpoint_auth_method: authMethod, high_security: highSecurity } = metadata
  const keyed = authMethod === 'private_key_jwt'
  if (keyed && type === 'NATIVE') {
    const field = highSecurity ? 'highSecurity' : 'clientAuthentication'
    throw badInput(field, 'A native app can’t have a key, because anyone could extract it from the app.')
  }
  if (needsKeys({ metadata }) && !metadata.jwks && !metadata.jwks_uri) {
    throw badInput('publicKeys', 'Enter the app’s public keys, or the URL where it publishes them.')
  }
  if (!highSecurity) return
  const problem = highSecurityProblem({ authMethod, redirectUris })
  if (problem) throw badInput(problem.field, problem.message)
  if (metadata.id_token_signed_response_alg === 'RS256') {
    throw badInput('idTokenAlg', 'An app with high security must use ES256 or EdDSA for its ID tokens.')
  }
  if (!requirePushedAuthorization) {
    throw badInput(
      'requirePushedAuthorization',
      'An app with high security must use pushed authorization requests.',
    )
  }
}
