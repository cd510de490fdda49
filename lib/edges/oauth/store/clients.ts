import { type ClientMetadata, errors } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { hashCredential, lastFour } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { unnamed } from '@/lib/base/errors/names'
import { endAuthorizations } from '@/lib/features/apps/authorizations/revoke-authorization'
import { defaultSigningAlg } from '@/lib/features/keys/signing-keys'
import { notifyOfWaitingApp } from '@/lib/features/notifications/notices'
import { pictureAddress } from '@/lib/features/pictures/address'
import type { Prisma } from '@/lib/generated/prisma/client'
import { clientCredentialsGrant, deviceGrant, jwtBearerGrant } from '../protocol/routes'
import { isStorable, type Payload } from './artifacts'
import { currentUnit } from './request-unit'
import { type ClientRow, loadSnapshot, type Snapshot } from './snapshot'

/**
 * Returns the client of a snapshot if it has this ID and can be used (see `findClientRow`).
 * @param route the name of the endpoint in oidc-provider
 */
export function actingClient(
  { client }: Snapshot,
  id: string,
  route: string | undefined,
): ClientRow | undefined {
  if (!client || client.disabled || client.id !== id) return undefined
  return client.source !== 'METADATA_DOCUMENT' || route === 'userinfo' ? client : undefined
}

/**
 * Returns the row of a usable client. In an OAuth request, uses the request's snapshot. Disabled clients
 * count as unknown. For a metadata-document client, oidc-provider fetches the document itself. The row of
 * such a client is returned only for userinfo requests, so that reading claims never waits for a document.
 */
export async function findClientRow(id: string): Promise<ClientRow | undefined> {
  const unit = currentUnit()
  return actingClient((await unit?.prime(id)) ?? (await loadSnapshot(id, null)), id, unit?.route)
}

/**
 * A placeholder for the client secret that oidc-provider requires. No presented secret matches the
 * placeholder, because presented secrets are compared only with stored hashes.
 */
export const secretPlaceholder = 'stored-as-hash'

/** Authentication methods without a secret. */
const withoutSecret = new Set<unknown>(['none', 'private_key_jwt'])

/**
 * Returns a client as oidc-provider metadata (RFC 7591 section 2). A client from the settings gets the grant
 * types for authorization codes, refresh tokens, and device codes. If it is confidential, it also gets the
 * grant type for assertions and, if it can be installed, the grant type for installations. A self-registered
 * client gets the grant types that it registered. If the authentication method uses a secret, the metadata
 * contains `secretPlaceholder`.
 */
export function toClientMetadata(row: ClientRow): ClientMetadata {
  const publicClient = row.type === 'NATIVE'
  const metadata: ClientMetadata = {
    grant_types: [
      'authorization_code',
      'refresh_token',
      deviceGrant,
      ...(row.installable && !publicClient ? [clientCredentialsGrant] : []),
      // engine/assertions rejects this grant type at the token endpoint if the app is not an SSO-managed app.
      ...(publicClient ? [] : [jwtBearerGrant]),
    ],
    application_type: publicClient ? 'native' : 'web',
    id_token_signed_response_alg: defaultSigningAlg,
    token_endpoint_auth_method: publicClient ? 'none' : 'client_secret_basic',
    ...(row.homepageUrl ? { client_uri: row.homepageUrl } : {}),
    ...(row.logoUrl ? { logo_uri: pictureAddress(row.logoUrl) } : {}),
    ...row.metadata,
    client_id: row.id,
    client_name: row.name,
    redirect_uris: row.redirectUris,
    post_logout_redirect_uris: row.postLogoutRedirectUris,
    // A device-only client has no redirect URI and therefore no response type.
    response_types: row.redirectUris.length > 0 ? ['code'] : [],
    require_pushed_authorization_requests: row.requirePushedAuthorization,
    client_id_issued_at: row.createdAt,
  }
  return withoutSecret.has(metadata.token_endpoint_auth_method)
    ? metadata
    : { ...metadata, client_secret: secretPlaceholder, client_secret_expires_at: 0 }
}

/**
 * The names of metadata that is stored separately or computed in this module. All other metadata is stored as
 * registered.
 */
const own = new Set([
  'client_id',
  'client_name',
  'redirect_uris',
  'post_logout_redirect_uris',
  'client_uri',
  'logo_uri',
  'client_secret',
  'client_secret_expires_at',
  'client_id_issued_at',
  'require_pushed_authorization_requests',
  'response_types',
  'application_type',
])

/**
 * Stores a self-registered client or its update (RFC 7591, RFC 7592), with only the hash of its secret. If
 * the authentication method uses no secret, deletes the client's secrets. Unless anyone can register apps,
 * the client waits for approval after its registration and after each update, and the instance admins are
 * notified. An update never ends the wait. See ADR 0019.
 * @param metadata the metadata, which oidc-provider has validated and completed
 * @throws errors.InvalidClientMetadata for characters that cannot be stored
 */
export async function saveClient(id: string, metadata: Payload): Promise<void> {
  if (!isStorable(metadata)) {
    throw new errors.InvalidClientMetadata('metadata must not contain NUL or unpaired surrogates')
  }
  const text = (name: string) => (typeof metadata[name] === 'string' ? (metadata[name] as string) : null)
  const list = (name: string) => (Array.isArray(metadata[name]) ? (metadata[name] as string[]) : [])
  const data = {
    type: metadata.token_endpoint_auth_method === 'none' ? ('NATIVE' as const) : ('WEB' as const),
    name: text('client_name') ?? unnamed,
    redirectUris: list('redirect_uris'),
    postLogoutRedirectUris: list('post_logout_redirect_uris'),
    homepageUrl: text('client_uri'),
    logoUrl: text('logo_uri'),
    requirePushedAuthorization: metadata.require_pushed_authorization_requests === true,
    metadata: {
      ...Object.fromEntries(Object.entries(metadata).filter(([name]) => !own.has(name))),
      application_type: text('application_type') ?? 'web',
    } as Prisma.InputJsonObject,
  }
  const reviewed = config().dynamicRegistration !== 'on'
  const secret = text('client_secret')
  await prisma().$transaction(async (tx) => {
    await tx.oAuthClient.upsert({
      where: { id },
      create: { id, source: 'DYNAMIC', awaitingApproval: reviewed, ...data },
      update: { ...data, version: { increment: 1 }, ...(reviewed ? { awaitingApproval: true } : {}) },
    })
    if (reviewed) await notifyOfWaitingApp(tx, { id, name: data.name })
    if (withoutSecret.has(metadata.token_endpoint_auth_method))
      await tx.oAuthClientSecret.deleteMany({ where: { clientId: id } })
    else if (secret && secret !== secretPlaceholder) {
      await tx.oAuthClientSecret.create({
        data: { clientId: id, hash: new Uint8Array(hashCredential(secret)), lastFour: lastFour(secret) },
      })
    }
  })
}

/** Deletes a self-registered client with all its authorizations and tokens. */
export async function deleteClient(id: string): Promise<void> {
  const registered = { id, source: 'DYNAMIC' as const }
  await prisma().$transaction(async (tx) => {
    await endAuthorizations(tx, { client: registered })
    await tx.oAuthClient.deleteMany({ where: registered })
  })
}
