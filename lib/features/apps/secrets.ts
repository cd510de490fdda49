import { z } from 'zod'
import { hashCredential, lastFour, mintCredential } from '@/lib/base/credentials/tokens'
import { expiryInput } from '@/lib/base/db/expiry-input'
import { type Db, isId, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { nameInput } from '@/lib/base/errors/names'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { expiryWithin } from '@/lib/policy/lock-role'
import { hasKey } from './app-metadata'
import type { SecretSummary } from './read-apps'
import { lockApp, type OAuthApp, requireApp } from './require-app'

/**
 * Returns a new client secret: the row to store, with the secret's SHA-256 hash and last four characters, and
 * the plain value to show once.
 */
export function newSecret(actor: Actor) {
  const value = mintCredential('clientSecret')
  const row = {
    hash: Uint8Array.from(hashCredential(value)),
    lastFour: lastFour(value),
    createdById: actor.userId,
  }
  return { value, row }
}

/**
 * The schema for a new client secret: `name` and `expiresAt`, both optional. If the user enters no name, the
 * form sends an empty string, which becomes null.
 */
const newSecretInput = z.object({
  name: z.union([z.literal('').transform(() => null), nameInput()]).nullish(),
  expiresAt: expiryInput,
})

const maxSecrets = 10

/**
 * Adds a client secret to a web app. The other secrets stay valid, so that a secret can be replaced without
 * an outage. If the app's transfer is unfinished, the former owner's secrets are deleted. Requires
 * `workspace:manage-secrets` in the app's workspace.
 * @param input see `newSecretInput`; for `expiresAt`, see `expiryWithin`
 * @returns the app, the secret's record, and the plain secret, which is returned only once
 * @throws AppError BAD_USER_INPUT, CONFLICT (a native app, an app with a key, or too many secrets),
 * NOT_FOUND, and the errors of `requireWorkspace` and `expiryWithin`
 */
export async function addSecret(
  actor: Actor,
  appId: string,
  input: unknown = {},
): Promise<{ app: OAuthApp; record: SecretSummary; secret: string }> {
  const app = await requireApp(actor, appId, 'workspace:manage-secrets')
  if (app.type === 'NATIVE') {
    throw new AppError(
      'CONFLICT',
      'A native app can’t have a client secret, because anyone could extract it from the app.',
    )
  }
  const { name, expiresAt: asked } = parseInput(newSecretInput, input)
  const { row, value } = newSecret(actor)
  const record = await prisma().$transaction(async (tx) => {
    // Lock the app. Otherwise, two concurrent requests could both pass the check of the maximum and together
    // exceed it.
    const current = await lockApp(tx, actor, app, 'workspace:manage-secrets')
    if (hasKey(current))
      throw new AppError('CONFLICT', 'This app uses private_key_jwt, so it can’t have a client secret.')
    await endFormerSecrets(tx, current)
    if ((await tx.oAuthClientSecret.count({ where: { clientId: appId } })) >= maxSecrets) {
      throw new AppError('CONFLICT', `An app can have up to ${maxSecrets} secrets. Revoke one first.`)
    }
    const expiresAt = await expiryWithin(tx, actor, asked)
    const secret = await tx.oAuthClientSecret.create({ data: { ...row, name, expiresAt, clientId: appId } })
    await recordEvent(tx, actor, {
      action: 'oauth_app.secret_added',
      resource: { type: 'oauth_app', id: appId },
      workspaceId: app.workspaceId,
      details: { name: secret.name, lastFour: secret.lastFour, expiresAt: secret.expiresAt?.toISOString() },
    })
    return secret
  })
  return { app, record, secret: value }
}

/**
 * Deletes the client secrets that an app had when it was transferred, because the former owner knows them.
 * Secrets that the new admins created remain. Does nothing if the app has no unfinished transfer.
 */
export async function endFormerSecrets(
  tx: Db,
  { id: clientId, transferredAt }: Pick<OAuthApp, 'id' | 'transferredAt'>,
): Promise<void> {
  if (!transferredAt) return
  await tx.oAuthClientSecret.deleteMany({ where: { clientId, createdAt: { lte: transferredAt } } })
}

/**
 * Revokes one of an app's secrets. The next request with the secret fails. Even the last secret can be
 * revoked, but the app then needs a new secret. Requires `workspace:manage-secrets` in the app's workspace.
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace`
 */
export async function revokeSecret(actor: Actor, appId: string, secretId: string): Promise<void> {
  const app = await requireApp(actor, appId, 'workspace:manage-secrets')
  await prisma().$transaction(async (tx) => {
    await lockApp(tx, actor, app, 'workspace:manage-secrets')
    const secret = isId(secretId)
      ? await tx.oAuthClientSecret.findFirst({ where: { id: secretId, clientId: appId } })
      : null
    if (!secret) throw new AppError('NOT_FOUND', 'The secret was not found, or it has already been revoked.')
    await tx.oAuthClientSecret.deleteMany({ where: { id: secret.id } })
    await recordEvent(tx, actor, {
      action: 'oauth_app.secret_revoked',
      resource: { type: 'oauth_app', id: appId },
      workspaceId: app.workspaceId,
      details: { lastFour: secret.lastFour },
    })
  })
}
