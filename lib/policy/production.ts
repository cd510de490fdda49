import { type Db, prisma } from '@/lib/base/db/prisma'
import { readByKey } from '@/lib/base/db/shared-reads'
import { AppError } from '@/lib/base/errors/app-error'
import { canSendMail } from '@/lib/base/mail/send-mail'
import type { Actor } from './actor'
import { isUnverifiedKind } from './client-source'

/**
 * An app in production has the service's name behind it: everyone can authorize it, and the authorization endpoint redirects its
 * errors to addresses that its admins chose. Both therefore require users who confirmed their email address. See decisions 076
 * and 200.
 */

/**
 * Returns whether an actor can have an app in production. An instance that sends no email has no confirmed addresses, so there
 * everyone can.
 */
export async function hasProduction(actor: Actor, db: Db = prisma()): Promise<boolean> {
  if (!canSendMail() || actor.userId === null) return true
  const user = await db.user.findUnique({
    where: { id: actor.userId },
    select: { emailVerifiedAt: true },
  })
  return user?.emailVerifiedAt != null
}

/** @throws AppError FORBIDDEN unless `hasProduction` */
export async function requireProduction(actor: Actor): Promise<void> {
  if (await hasProduction(actor)) return
  throw new AppError(
    'FORBIDDEN',
    'Confirm your email address before you have an app in production. Request the link in Account > Security.',
  )
}

const findTrust = readByKey<
  { inDevelopment: boolean; confirmed: boolean; member: boolean },
  [clientId: string, userId: string | null]
>(
  'redirect-trust',
  `SELECT c.in_development AS "inDevelopment",
          c.verified_at IS NOT NULL OR EXISTS (
            SELECT FROM workspace_members m JOIN users u ON u.id = m.user_id
             WHERE m.workspace_id = c.workspace_id AND m.role = 'ADMIN'
               AND u.email_verified_at IS NOT NULL AND u.suspended_at IS NULL) AS confirmed,
          EXISTS (SELECT FROM workspace_members m WHERE m.workspace_id = c.workspace_id AND m.user_id = $2::uuid) AS member
     FROM oauth_clients c WHERE c.id = $1`,
)

/**
 * How far the service redirects a browser to an app's addresses without having asked the user:
 * - `always`: an app in production of a workspace with an admin whose email address is confirmed; for its members, every app
 *   of a workspace.
 * - `silent`: a self-registered or metadata-document client, and an app in production without such an admin. Only the answers to
 *   `prompt=none` that by definition no user is asked about.
 * - `never`: an app in development, for everyone who cannot use it.
 */
export type RedirectTrust = 'always' | 'silent' | 'never'

/** @param userId who is signed in; undefined if no one is */
export async function redirectTrust(clientId: string, userId: string | undefined): Promise<RedirectTrust> {
  if (isUnverifiedKind(clientId)) return 'silent'
  const [app] = await findTrust(clientId, userId ?? null)
  if (app?.member) return 'always'
  if (!app || app.inDevelopment) return 'never'
  return app.confirmed ? 'always' : 'silent'
}
