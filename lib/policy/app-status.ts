import { config } from '@/lib/base/config/env'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { canSendMail } from '@/lib/base/mail/send-mail'
import type { Actor } from './actor'
import { isUnverifiedKind } from './scopes'

/**
 * An app in development can:
 * - be authorized by members of its workspace. The authorizations of external users have no effect.
 * - be installed in its own workspace. Its installations in other workspaces have no effect.
 * - receive redirects without confirmation, if the user is a member of its workspace (`redirectTrust`).
 * - be moved to production by an admin with a confirmed email address (`requireProduction`).
 *
 * See ADR 0019. This file also defines which scopes an app can request, and how long an app with an
 * unfinished transfer works.
 */

/** The reason why a user cannot authorize an app, regardless of the requested scopes. */
export type UnavailableReason = 'development' | 'approval'

/**
 * Returns SQL: whether a user is not a member of the workspace that runs an app. For the parameters, see
 * `unavailableReason`.
 */
export const notMember = (app: string, userId: string): string =>
  `NOT EXISTS (SELECT FROM workspace_members dm WHERE dm.workspace_id = ${app}.workspace_id AND dm.user_id = ${userId})`

/**
 * Returns SQL: the reason why a user cannot use an app, or null if the user can use it. An app that awaits an
 * instance admin's approval is unavailable to everyone. An app in development is unavailable to users who are
 * not members of its workspace. See ADR 0019.
 * @param app the alias of a row of oauth_clients
 * @param userId SQL of the user's ID
 */
export const unavailableReason = (app: string, userId: string): string =>
  `CASE WHEN ${app}.awaiting_approval THEN 'approval'
        WHEN ${app}.in_development AND ${notMember(app, userId)} THEN 'development' END`

const findMember = statement<{ member: boolean }, [workspaceId: string | null, userId: string]>(
  'member-of-app-workspace',
  `SELECT EXISTS (SELECT FROM workspace_members WHERE workspace_id = $1::uuid AND user_id = $2::uuid) AS member`,
  { connections: 'shared' },
)

/**
 * Returns whether a user is not a member of an app's workspace. While the app is in development, such a
 * user's authorization has no effect. Call this function for each request of an app in development, and not
 * for other apps. See ADR 0019.
 * @param workspaceId the ID of the app's workspace; if null, every user is external
 */
export async function isExternalUser(workspaceId: string | null, userId: string): Promise<boolean> {
  const [found] = await findMember(workspaceId, userId)
  return !found?.member
}

/** The properties of an app that this module checks. */
type Judged = { inDevelopment: boolean; awaitingApproval: boolean; workspaceId: string | null }

/**
 * Requires that a user can authorize an app (`unavailableReason`). Does nothing if `app` is null.
 * @throws AppError APP_AWAITING_APPROVAL, APP_IN_DEVELOPMENT
 */
export async function requireAuthorizable(db: Db, app: Judged | null, userId: string): Promise<void> {
  if (app?.awaitingApproval) throw new AppError('APP_AWAITING_APPROVAL')
  if (!app?.inDevelopment) return
  const { workspaceId } = app
  const member =
    workspaceId !== null &&
    (await db.workspaceMember.findUnique({
      where: { workspaceId_userId: { workspaceId, userId } },
      select: { role: true },
    }))
  if (!member) throw new AppError('APP_IN_DEVELOPMENT')
}

/**
 * Requires that a workspace can install an app. An app in development can be installed only in its own
 * workspace.
 * @throws AppError APP_IN_DEVELOPMENT
 */
export function requireInstallableInto(
  app: { inDevelopment: boolean; workspaceId: string | null },
  workspaceId: string,
): void {
  if (app.inDevelopment && app.workspaceId !== workspaceId) {
    throw new AppError(
      'APP_IN_DEVELOPMENT',
      'This app is in development. Until it is in production, it can be installed only in its own workspace.',
    )
  }
}

/**
 * Anyone can authorize an app in production, and the authorization endpoint redirects errors to URLs that the
 * app's admins chose. Users trust such an app because they trust this instance. Therefore, users must confirm
 * their email address before they can move an app to production, and `RedirectTrust` limits redirects without
 * the user's confirmation. See ADR 0009 and ADR 0019.
 */

/**
 * Returns whether an actor can have an app in production, which requires a confirmed email address. If the
 * instance does not send email, email addresses cannot be confirmed, so the result is true for every actor.
 * For app installations, the result is always true.
 */
export async function hasProduction(actor: Actor, db: Db = prisma()): Promise<boolean> {
  if (!canSendMail() || actor.userId === null) return true
  const user = await db.user.findUnique({
    where: { id: actor.userId },
    select: { emailVerifiedAt: true },
  })
  return user?.emailVerifiedAt != null
}

/** Requires that an actor can have an app in production. @throws AppError FORBIDDEN */
export async function requireProduction(actor: Actor): Promise<void> {
  if (await hasProduction(actor)) return
  throw new AppError(
    'FORBIDDEN',
    'Confirm your email address before you move an app to production. Request the link under Account > Security.',
  )
}

const findTrust = statement<
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
  { connections: 'shared' },
)

/**
 * When the instance redirects a browser to an app's URLs without asking the user first:
 * - `always`: for an app in production that is verified or whose workspace has an active admin with a
 *   confirmed email address, and for every member of an app's workspace.
 * - `silent`: only for responses to `prompt=none`, which by definition involves no user. Applies to
 *   self-registered and metadata-document clients, and to all other apps in production.
 * - `never`: for an app in development if the user cannot use it, and for an unknown app.
 */
export type RedirectTrust = 'always' | 'silent' | 'never'

/**
 * Returns how much an app's redirects are trusted.
 * @param userId the ID of the signed-in user; undefined if no one is signed in
 */
export async function redirectTrust(clientId: string, userId: string | undefined): Promise<RedirectTrust> {
  if (isUnverifiedKind(clientId)) return 'silent'
  const [app] = await findTrust(clientId, userId ?? null)
  if (app?.member) return 'always'
  if (!app || app.inDevelopment) return 'never'
  return app.confirmed ? 'always' : 'silent'
}

/**
 * The number of days within which the new admins of a transferred app must finish the transfer: they review
 * the app's redirect URIs and replace its credentials. Until then, the app does not count as one of the
 * workspace's own apps. If the transfer is still unfinished after this time, the OAuth endpoints reject the
 * app and all of the former owner's credentials. See ADR 0021.
 */
export const graceDays = 7

/** Returns the time at which an app with an unfinished transfer stops working. */
export const graceEnd = (transferredAt: Date): Date =>
  new Date(transferredAt.getTime() + graceDays * 86_400_000)

/**
 * Returns SQL: the ID of the workspace that owns an app, or null while the app's transfer is unfinished.
 * @param app the alias of a row of oauth_clients
 */
export const owningWorkspace = (app: string): string =>
  `CASE WHEN ${app}.transferred_at IS NULL THEN ${app}.workspace_id END`

/** Returns SQL: whether the grace period of an unfinished transfer has ended. */
export const graceHasEnded = (app: string): string =>
  `COALESCE(${app}.transferred_at < now() - interval '${graceDays} days', false)`

/**
 * Returns the scopes that admins allow an app to request. For self-registered apps and metadata-document
 * clients, instance admins choose these scopes. For other apps, the app's admins choose them. See ADR 0018.
 * @param byAdmins the scopes that the app's admins allow; empty if they allow all
 * @returns the `allowed` parameter of `requestableScopes` and `limitScopes`, which is empty if all scopes are
 * allowed
 */
export function allowedTo(clientId: string, byAdmins: readonly string[] = []): readonly string[] {
  return isUnverifiedKind(clientId) ? registeredAppScopes() : byAdmins
}

/**
 * Returns the scopes that instance admins allow for self-registered apps and metadata-document clients, or an
 * empty list if they allow all scopes.
 */
export const registeredAppScopes = (): readonly string[] => config().registeredAppScopes
