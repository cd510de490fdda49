import { AppError } from '@/lib/base/errors/app-error'
import { hasKey } from '@/lib/features/apps/app-metadata'
import { type OAuthApp, requireApp } from '@/lib/features/apps/require-app'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { SessionActor } from '@/lib/policy/actor'

/** Why nobody but an app itself can do what the try does for it; undefined where it can be tried. */
export function untriable(app: Pick<OAuthClient, 'disabledAt' | 'metadata'>): string | undefined {
  if (app.disabledAt) return 'The operator of this service has disabled this app.'
  if (hasKey(app) || (app.metadata as Record<string, unknown>).require_signed_request_object) {
    return 'This app signs its requests with a key that only it has, so nobody can send them for it.'
  }
  return undefined
}

/**
 * An app whose sign-in somebody may try. It takes the right to make secrets of it, since one is made for the moment.
 * @throws AppError CONFLICT (it cannot be tried), NOT_FOUND, and as `requireWorkspace`
 */
export async function requireTriable(actor: SessionActor, clientId: string): Promise<OAuthApp> {
  const app = await requireApp(actor, clientId, 'workspace:manage-secrets')
  const reason = untriable(app)
  if (reason) throw new AppError('CONFLICT', reason)
  return app
}
