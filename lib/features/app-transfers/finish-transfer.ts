import { z } from 'zod'
import { prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { checkSettings, hasKey, needsKeys, toColumns } from '@/lib/features/apps/app-metadata'
import { updateAppInput } from '@/lib/features/apps/input'
import { lockApp, requireApp } from '@/lib/features/apps/require-app'
import { endFormerSecrets, newSecret } from '@/lib/features/apps/secrets'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { expiryWithin } from '@/lib/policy/lock-role'

const text = z.union([z.string(), z.array(z.string())])

/**
 * The reviewed redirect URIs and post-logout redirect URIs, and new public keys for an app that must have
 * keys.
 */
const finishInput = z.object({
  redirectUris: text,
  postLogoutRedirectUris: text.optional(),
  publicKeys: z.string().optional(),
})

/**
 * Finishes the transfer of an app. The app's new admins confirm or replace its redirect URIs. All the former
 * owner's client secrets are deleted. The public keys in the input replace the former owner's keys if the app
 * authenticates with a key or must sign its requests. In any other app, the former owner's keys are deleted.
 * A web app that does not authenticate with a key gets a new client secret. The app then counts as one of
 * the workspace's own apps. Requires `workspace:manage-secrets` in the app's workspace. See ADR 0021.
 * @param input `redirectUris` and `postLogoutRedirectUris` (a list, or text with one URI per line;
 * `postLogoutRedirectUris` defaults to none), `publicKeys` (if the app must have keys, see `needsKeys`)
 * @returns the app, and its new secret (if any), which is returned only once
 * @throws AppError BAD_USER_INPUT, CONFLICT (no unfinished transfer), NOT_FOUND, and the errors of
 * `requireWorkspace` and `expiryWithin`
 */
export async function finishTransfer(
  actor: Actor,
  appId: string,
  input: unknown,
): Promise<{ app: OAuthClient; secret: string | undefined }> {
  const seen = await requireApp(actor, appId, 'workspace:manage-secrets')
  if (!seen.transferredAt) throw finished()
  const { redirectUris, postLogoutRedirectUris = [], publicKeys } = parseInput(finishInput, input)
  return prisma().$transaction(async (tx) => {
    const before = await lockApp(tx, actor, seen, 'workspace:manage-secrets')
    // If two admins finish the transfer at the same moment, the second request waits for the lock and fails.
    if (!before.transferredAt) throw finished()
    const changes = parseInput(updateAppInput(before), {
      redirectUris,
      postLogoutRedirectUris,
      publicKeys: needsKeys(before) ? newKeys(before, publicKeys) : '',
    })
    const columns = toColumns(before.metadata, changes)
    checkSettings({ ...before, ...columns, redirectUris: columns.redirectUris ?? before.redirectUris })
    const secret = before.type === 'WEB' && !hasKey(before) ? newSecret(actor) : undefined
    const app = await tx.oAuthClient.update({
      where: { id: appId },
      data: { ...columns, transferredAt: null, version: { increment: 1 } },
    })
    await endFormerSecrets(tx, before)
    if (secret) {
      const expiresAt = await expiryWithin(tx, actor, null)
      await tx.oAuthClientSecret.create({ data: { ...secret.row, clientId: appId, expiresAt } })
    }
    await recordEvent(tx, actor, {
      action: 'oauth_app.transfer_finished',
      resource: { type: 'oauth_app', id: appId },
      workspaceId: before.workspaceId,
      details: { name: app.name, redirectUris: app.redirectUris },
    })
    return { app, secret: secret?.value }
  })
}

/**
 * Returns the entered public keys, trimmed. Throws if they are missing or unchanged, because the former owner
 * has the private keys of the current public keys.
 */
function newKeys({ metadata }: OAuthClient, publicKeys: string | undefined): string {
  const { jwks, jwks_uri } = metadata as Record<string, unknown>
  const entered = publicKeys?.trim()
  const same = entered === jwks_uri || (jwks !== undefined && sameJson(entered, jwks))
  if (entered && !same) return entered
  throw badInput(
    'publicKeys',
    'Enter new public keys. The former owner has the private keys for the current ones.',
  )
}

function sameJson(entered: string | undefined, known: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(entered ?? '')) === JSON.stringify(known)
  } catch {
    return false
  }
}

const finished = () =>
  new AppError('CONFLICT', 'This app has no transfer to finish. Reload to see its current status.')
