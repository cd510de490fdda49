import { hashCredential, lastFour, mintCredential } from '@/lib/base/credentials/tokens'
import { type Db, isId, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { lockInstanceAdminRole } from '@/lib/policy/lock-role'
import { requireApiAdmin } from '@/lib/policy/require'

/** The maximum number of secrets per API. With two secrets, one can be replaced without downtime. */
const maxSecrets = 2

/**
 * Generates a client secret for an API. Returns the row to store, with a hash and the last four characters,
 * and the plain value to show once.
 */
export function newApiSecret(createdById: string | null) {
  const value = mintCredential('apiSecret')
  const row = { hash: Uint8Array.from(hashCredential(value)), lastFour: lastFour(value), createdById }
  return { value, row }
}

/** A client secret of an API, without its value. `lastUsedAt` is null if the secret was never used. */
export type ApiSecret = { id: string; lastFour: string; createdAt: Date; lastUsedAt: Date | null }

export const apiSecretColumns = { id: true, lastFour: true, createdAt: true, lastUsedAt: true } as const

/**
 * Adds a client secret to an API. An existing secret stays valid. APIs from RESOURCES_FILE are accepted too.
 * Requires an instance admin.
 * @returns the record and the plain secret, which is returned only once
 * @throws AppError CONFLICT if the API already has two secrets, FORBIDDEN, TWO_FACTOR_REQUIRED, NOT_FOUND
 */
export async function addApiSecret(
  actor: Actor,
  apiId: string,
): Promise<{ record: ApiSecret; secret: string }> {
  await requireApiAdmin(actor)
  const { row, value } = newApiSecret(actor.userId)
  const record = await prisma().$transaction(async (tx) => {
    const api = await lockCredentials(tx, actor, apiId)
    if ((await tx.apiCredential.count({ where: { apiId } })) >= maxSecrets) {
      throw new AppError('CONFLICT', `An API can have up to ${maxSecrets} secrets. Revoke one first.`)
    }
    const made = await tx.apiCredential.create({ data: { ...row, apiId }, select: apiSecretColumns })
    await recordEvent(tx, actor, {
      action: 'api.secret_added',
      resource: { type: 'api', id: apiId },
      details: { identifier: api.identifier, lastFour: made.lastFour },
    })
    return made
  })
  return { record, secret: value }
}

/**
 * Revokes a client secret of an API. From then on, requests with the secret fail. Requires an instance admin.
 * @throws AppError FORBIDDEN, TWO_FACTOR_REQUIRED, NOT_FOUND
 */
export async function revokeApiSecret(actor: Actor, apiId: string, secretId: string): Promise<void> {
  await requireApiAdmin(actor)
  await prisma().$transaction(async (tx) => {
    const api = await lockCredentials(tx, actor, apiId)
    const secret = isId(secretId)
      ? await tx.apiCredential.findFirst({ where: { id: secretId, apiId }, select: apiSecretColumns })
      : null
    if (!secret) throw new AppError('NOT_FOUND', 'The secret was not found, or it has already been revoked.')
    await tx.apiCredential.deleteMany({ where: { id: secret.id } })
    await recordEvent(tx, actor, {
      action: 'api.secret_revoked',
      resource: { type: 'api', id: apiId },
      details: { identifier: api.identifier, lastFour: secret.lastFour },
    })
  })
}

/**
 * Locks the actor's role and the API until the transaction ends, so that concurrent changes to the API's
 * secrets wait.
 * @throws AppError FORBIDDEN, NOT_FOUND
 */
async function lockCredentials(tx: Db, actor: Actor, apiId: string): Promise<{ identifier: string }> {
  await lockInstanceAdminRole(tx, actor)
  const [api] = await tx.$queryRaw<{ identifier: string }[]>`
    SELECT identifier FROM apis WHERE id = ${apiId} FOR NO KEY UPDATE`
  if (!api) throw new AppError('NOT_FOUND', 'The API was not found.')
  return api
}
