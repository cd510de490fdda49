import { type ClientMetadata, errors } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { hashCredential, lastFour } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { unnamed } from '@/lib/base/errors/names'
import { endAuthorizations } from '@/lib/features/apps/authorizations/revoke-authorization'
import { defaultSigningAlg } from '@/lib/features/keys/signing-keys'
import { tellOfWaitingApp } from '@/lib/features/notifications/notices'
import { pictureAddress } from '@/lib/features/pictures/address'
import type { Prisma } from '@/lib/generated/prisma/client'
import { clientCredentialsGrant, deviceGrant, jwtBearerGrant } from '../protocol/routes'
import { isStorable, type Payload } from './artifacts'
import { currentUnit } from './request-unit'
import { type ClientRow, loadSnapshot, type Snapshot } from './snapshot'

/**
 * The client of a snapshot, if it may act: see `findClientRow`.
 * @param route the engine's name of the endpoint
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
 * The row of a client that may act; from the request's snapshot where there is a request. Disabled clients do not exist.
 * Of metadata-document clients the row only anchors authorizations, because the engine fetches the documents itself; but
 * what it holds is enough to read claims with a token, for which nobody should have to wait for a document.
 */
export async function findClientRow(id: string): Promise<ClientRow | undefined> {
  const unit = currentUnit()
  return actingClient((await unit?.prime(id)) ?? (await loadSnapshot(id, null)), id, unit?.route)
}

/** Stands where the engine insists on a secret; no secret is ever equal to it, because it is compared by hash alone. */
export const secretPlaceholder = 'stored-as-hash'

/** Methods of authentication that take no secret. */
const withoutSecret = new Set<unknown>(['none', 'private_key_jwt'])

/**
 * A client as the engine knows it (RFC 7591 section 2). A client from the settings gets every grant; where it can be installed the one for
 * installations too, with a secret the one for assertions; a self-registered one what its registration asked for.
 */
export function toClientMetadata(row: ClientRow): ClientMetadata {
  const publicClient = row.type === 'NATIVE'
  const metadata: ClientMetadata = {
    grant_types: [
      'authorization_code',
      'refresh_token',
      deviceGrant,
      ...(row.installable && !publicClient ? [clientCredentialsGrant] : []),
      // Whether an admin lets it is asked when it is used (assertions/redeem-assertion).
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
    // A device has nowhere to be redirected to.
    response_types: row.redirectUris.length > 0 ? ['code'] : [],
    require_pushed_authorization_requests: row.requirePushedAuthorization,
    client_id_issued_at: row.createdAt,
  }
  return withoutSecret.has(metadata.token_endpoint_auth_method)
    ? metadata
    : { ...metadata, client_secret: secretPlaceholder, client_secret_expires_at: 0 }
}

/** Metadata with a column of its own, or that is decided here; the rest is kept as registered. */
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
 * Stores a client that registered itself, or its update (RFC 7591, RFC 7592). Of its secret only the hash is kept.
 * Where an instance admin approves such apps one by one it waits from then on, also after an update: what was approved is what it said
 * before. See ADR 0025. The instance admins are told of it.
 * @param metadata as the engine checked and completed it
 * @throws errors.InvalidClientMetadata for characters that cannot be stored
 */
export async function saveClient(id: string, metadata: Payload): Promise<void> {
  if (!isStorable(metadata)) {
    throw new errors.InvalidClientMetadata('metadata must not hold NUL or half characters')
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
    awaitingApproval: config().dynamicRegistration === 'approval',
    requirePushedAuthorization: metadata.require_pushed_authorization_requests === true,
    metadata: {
      ...Object.fromEntries(Object.entries(metadata).filter(([name]) => !own.has(name))),
      application_type: text('application_type') ?? 'web',
    } as Prisma.InputJsonObject,
  }
  const secret = text('client_secret')
  await prisma().$transaction(async (tx) => {
    await tx.oAuthClient.upsert({
      where: { id },
      create: { id, source: 'DYNAMIC', ...data },
      update: { ...data, version: { increment: 1 } },
    })
    if (data.awaitingApproval) await tellOfWaitingApp(tx, { id, name: data.name })
    if (withoutSecret.has(metadata.token_endpoint_auth_method))
      await tx.oAuthClientSecret.deleteMany({ where: { clientId: id } })
    else if (secret && secret !== secretPlaceholder) {
      await tx.oAuthClientSecret.create({
        data: { clientId: id, hash: new Uint8Array(hashCredential(secret)), lastFour: lastFour(secret) },
      })
    }
  })
}

/** Removes a client that registered itself, with every authorization and token of it. */
export async function deleteClient(id: string): Promise<void> {
  const registered = { id, source: 'DYNAMIC' as const }
  await prisma().$transaction(async (tx) => {
    await endAuthorizations(tx, { client: registered })
    await tx.oAuthClient.deleteMany({ where: registered })
  })
}
