import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import { defaultSigningAlg, type SigningAlg, signingAlgs } from '@/lib/features/keys/signing-keys'
import { apiScopes } from '@/lib/features/resources/apis'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireProduction } from '@/lib/policy/app-status'
import { dropStrayDomain } from './app-domain'
import { checkSettings, hasKey, toColumns } from './app-metadata'
import { profileOf } from './app-profile'
import { endAuthorizations } from './authorizations/revoke-authorization'
import { allowedScopesOf, updateAppInput } from './input'
import { lockApp, requireApp } from './require-app'

/**
 * Returns the signing algorithm of an app's ID tokens, or the default algorithm if the app has no supported
 * one.
 */
export const idTokenAlgOf = ({ metadata }: Pick<OAuthClient, 'metadata'>): SigningAlg =>
  signingAlgs.find((alg) => alg === (metadata as Record<string, unknown>).id_token_signed_response_alg) ??
  defaultSigningAlg

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2)

/**
 * Returns an app's ID and type, and the current values of the settings that the app's pages and GraphQL show.
 */
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

/**
 * Changes an app's name, URLs, or settings. Removes the app's domain if the domain no longer contains any of
 * the app's URLs, and the app's secrets if the app authenticates with a key. Requires `workspace:manage-apps`
 * in the app's workspace. If the input contains `clientAuthentication` or `publicKeys`, also requires
 * `workspace:manage-secrets`. Moving the app to production also requires a confirmed email address
 * (`requireProduction`).
 * @param input see `updateAppInput`. Omitted settings remain unchanged.
 * @returns the updated app
 * @throws AppError BAD_USER_INPUT, NOT_FOUND, CONFLICT (a concurrent change), and the errors of
 * `requireProduction` and `requireWorkspace`
 */
export async function updateApp(actor: Actor, id: string, input: unknown): Promise<OAuthClient> {
  const seen = await requireApp(actor, id)
  const changes = parseInput(updateAppInput(seen, await apiScopes()), input)
  const isRelease = (app: OAuthClient) => app.inDevelopment && changes.inDevelopment === false
  if (isRelease(seen)) await requireProduction(actor)
  // A key replaces the app's secrets as its credential, so a change to the key or the authentication method
  // requires the same permission as a change to the secrets. High security also replaces the secrets.
  const permissionFor = (app: OAuthClient) =>
    changes.publicKeys !== undefined ||
    changes.clientAuthentication !== undefined ||
    hasKey(toColumns(app.metadata, changes)) !== hasKey(app)
      ? 'workspace:manage-secrets'
      : 'workspace:manage-apps'
  const permission = permissionFor(seen)
  if (permission !== 'workspace:manage-apps') await requireApp(actor, id, permission)
  return prisma().$transaction(async (tx) => {
    const before = await lockApp(tx, actor, seen, permission)
    // The checks before the lock do not apply if a concurrent change requires other ones.
    if (isRelease(before) !== isRelease(seen) || permissionFor(before) !== permission)
      throw new AppError('CONFLICT')
    const columns = toColumns(before.metadata, changes)
    checkSettings({
      type: before.type,
      installScopes: columns.installScopes ?? before.installScopes,
      allowedScopes: columns.allowedScopes ?? before.allowedScopes,
      metadata: columns.metadata,
      redirectUris: columns.redirectUris ?? before.redirectUris,
      requirePushedAuthorization: columns.requirePushedAuthorization ?? before.requirePushedAuthorization,
    })
    const app = await tx.oAuthClient.update({
      where: { id },
      data: { ...columns, version: { increment: 1 } },
    })
    await dropStrayDomain(tx, actor, app)
    if (hasKey(app)) await tx.oAuthClientSecret.deleteMany({ where: { clientId: id } })
    await recordEvent(tx, actor, {
      action: 'oauth_app.updated',
      resource: { type: 'oauth_app', id },
      workspaceId: before.workspaceId,
      details: { ...changes, ...(app.name !== before.name && { from: before.name }) },
    })
    return app
  })
}

/**
 * Deletes an app with its secrets and all authorizations. The app's tokens fail at their next use. Requires
 * `workspace:manage-apps` in the app's workspace.
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace`
 */
export async function deleteApp(actor: Actor, id: string): Promise<void> {
  const app = await requireApp(actor, id)
  await prisma().$transaction(async (tx) => {
    await lockApp(tx, actor, app)
    await endAuthorizations(tx, { clientId: id })
    await tx.oAuthClient.delete({ where: { id } })
    await recordEvent(tx, actor, {
      action: 'oauth_app.deleted',
      resource: { type: 'oauth_app', id },
      workspaceId: app.workspaceId,
      details: { name: app.name },
    })
  })
}
