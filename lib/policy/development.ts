import type { Db } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'

/**
 * SQL: whether an app in development is kept from a person, because they are no member of its workspace. See decision 200.
 * @param app the alias of a row of oauth_clients
 * @param userId SQL of the person's id
 */
export const keptFromPerson = (app: string, userId: string): string =>
  `(${app}.in_development AND NOT EXISTS (SELECT FROM workspace_members dm
     WHERE dm.workspace_id = ${app}.workspace_id AND dm.user_id = ${userId}))`

/**
 * Requires that a person may authorize an app: anybody one in production, members of its workspace one in development.
 * @throws AppError APP_IN_DEVELOPMENT
 */
export async function requireAuthorizable(
  db: Db,
  app: { inDevelopment: boolean; workspaceId: string | null } | null,
  userId: string,
): Promise<void> {
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

/** Requires that an app may be installed into a workspace: one in development into its own alone. @throws AppError APP_IN_DEVELOPMENT */
export function requireInstallableInto(
  app: { inDevelopment: boolean; workspaceId: string | null },
  workspaceId: string,
): void {
  if (app.inDevelopment && app.workspaceId !== workspaceId) {
    throw new AppError(
      'APP_IN_DEVELOPMENT',
      'This app is in development: it can be installed into its own workspace alone.',
    )
  }
}
