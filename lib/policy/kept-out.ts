import type { Db } from '@/lib/base/db/prisma'
import { readByKey } from '@/lib/base/db/shared-reads'
import { AppError } from '@/lib/base/errors/app-error'

/** Why a person cannot authorize an app, whatever it asks for. */
export type KeptOut = 'development' | 'approval'

/** SQL: whether a person is no member of the workspace that runs an app. Takes what `keptOutBy` does. */
export const outside = (app: string, userId: string): string =>
  `NOT EXISTS (SELECT FROM workspace_members dm WHERE dm.workspace_id = ${app}.workspace_id AND dm.user_id = ${userId})`

/**
 * SQL: why an app is kept from a person; null where it is not. An app that awaits the operator's approval is kept from
 * everybody, one in development from whoever is no member of its workspace. See decisions 200 and 215.
 * @param app the alias of a row of oauth_clients
 * @param userId SQL of the person's id
 */
export const keptOutBy = (app: string, userId: string): string =>
  `CASE WHEN ${app}.awaiting_approval THEN 'approval'
        WHEN ${app}.in_development AND ${outside(app, userId)} THEN 'development' END`

const findMember = readByKey<{ member: boolean }, [workspaceId: string | null, userId: string]>(
  'member-of-app-workspace',
  `SELECT EXISTS (SELECT FROM workspace_members WHERE workspace_id = $1::uuid AND user_id = $2::uuid) AS member`,
)

/**
 * Whether what somebody gave an app counts for nothing, since it is in development and they are no member of its workspace. Asked
 * with every request of such an app; of one in production nothing is read.
 * See decision 194.
 */
export async function isOutsider(
  app: { inDevelopment: boolean; workspaceId: string | null },
  userId: string,
): Promise<boolean> {
  if (!app.inDevelopment) return false
  const [found] = await findMember(app.workspaceId, userId)
  return !found?.member
}

/** What of an app is judged. */
type Judged = { inDevelopment: boolean; awaitingApproval: boolean; workspaceId: string | null }

/**
 * Requires that a person may authorize an app, as `keptOutBy` has it.
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
