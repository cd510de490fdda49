import { errors } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { hashCredential, lastFour } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { unnamed } from '@/lib/base/errors/name-rules'
import { endAuthorizations } from '@/lib/features/apps/authorizations/end-authorizations'
import { tellOfWaitingApp } from '@/lib/features/notifications/operator-notices'
import type { Prisma } from '@/lib/generated/prisma/client'
import { isStorable, type Payload } from './artifacts'
import { secretPlaceholder, withoutSecret } from './client-record'

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
 * Where an operator approves such apps one by one it waits from then on, also after an update: what was approved is what it said
 * before. See decision 215. The operators are told of it.
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
    awaitingApproval: config().DYNAMIC_REGISTRATION === 'approval',
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
