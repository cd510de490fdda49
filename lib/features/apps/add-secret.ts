import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { expiryWithin } from '@/lib/policy/token-lifetime'
import { hasKey } from './app-metadata'
import type { SecretSummary } from './get-app'
import { newSecret } from './new-secret'
import { newSecretInput } from './new-secret-input'
import { lockApp, type OAuthApp, requireApp } from './require-app'

const maxSecrets = 10

/**
 * Adds a client secret to a web app. The other secrets stay valid, so a secret can be replaced without an outage; only those of the
 * former owner of a transferred app end.
 * Requires `workspace:manage-secrets` in the app's workspace.
 * @param input as `newSecretInput`; `expiresAt` as `expiryWithin`
 * @returns the app, the record of the secret, and the plain secret, which is returned only once
 * @throws AppError BAD_USER_INPUT, CONFLICT for a native app, one with a key, or too many secrets, NOT_FOUND, and as `authorizeWorkspace`
 */
export async function addSecret(
  actor: Actor,
  appId: string,
  input: unknown = {},
): Promise<{ app: OAuthApp; record: SecretSummary; secret: string }> {
  const app = await requireApp(actor, appId, 'workspace:manage-secrets')
  if (app.type === 'NATIVE') {
    throw new AppError('CONFLICT', 'A native app has no secret: what it carries, anyone can read.')
  }
  if (hasKey(app)) throw new AppError('CONFLICT', 'This app proves itself by its key and takes no secret.')
  const { name, expiresAt: asked } = parseInput(newSecretInput, input)
  const { row, value } = newSecret(actor)
  const record = await prisma().$transaction(async (tx) => {
    // Locked, so that two requests at once cannot both count the last free place.
    await lockApp(tx, actor, app, 'workspace:manage-secrets')
    await endFormerSecrets(tx, app)
    if ((await tx.oAuthClientSecret.count({ where: { clientId: appId } })) >= maxSecrets) {
      throw new AppError('CONFLICT', `An app has at most ${maxSecrets} secrets. Revoke one first.`)
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
 * Deletes the client secrets that an app had when it was transferred, because the former owner knows them. Those that the new admins
 * created stay. Does nothing for an app without an unfinished transfer.
 */
export async function endFormerSecrets(
  tx: Db,
  { id: clientId, transferredAt }: Pick<OAuthApp, 'id' | 'transferredAt'>,
): Promise<void> {
  if (!transferredAt) return
  await tx.oAuthClientSecret.deleteMany({ where: { clientId, createdAt: { lte: transferredAt } } })
}
