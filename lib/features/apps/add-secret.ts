import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/parse-input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { hasKey } from './app-metadata'
import type { SecretSummary } from './get-app'
import { newSecret } from './new-secret'
import { newSecretInput } from './new-secret-input'
import { lockApp, type OAuthApp, requireApp } from './require-app'

const maxSecrets = 10

/**
 * Gives a web app one more secret; the others stay valid, so that a secret can be exchanged without an outage.
 * Takes `workspace:manage-secrets` in its workspace.
 * @param input as `newSecretInput` describes it
 * @returns the app, the record of the secret, and the plain secret, which is never to be had again
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
  const { name, expiresAt } = parseInput(newSecretInput, input)
  const { row, value } = newSecret(actor)
  const record = await prisma().$transaction(async (tx) => {
    // Locked, so that two requests at once cannot both count the last free place.
    await lockApp(tx, actor, app, 'workspace:manage-secrets')
    if ((await tx.oAuthClientSecret.count({ where: { clientId: appId } })) >= maxSecrets) {
      throw new AppError('CONFLICT', `An app has at most ${maxSecrets} secrets. Revoke one first.`)
    }
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
