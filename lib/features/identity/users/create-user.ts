import type { Db } from '@/lib/base/db/prisma'
import { misleadingNameProblem } from '@/lib/base/errors/names'
import type { Language } from '@/lib/base/language/languages'
import { type Say, translatorForUser } from '@/lib/base/language/say'
import { chooseSlug, newWorkspacePolicy } from '@/lib/features/workspaces/create-workspace'

/**
 * Creates a user and a personal workspace with the user as its admin, in the caller's transaction.
 * @returns the IDs of the user and the workspace, and the workspace's slug
 * @throws a unique violation on `email` if the email address already has an account, or on `slug` if another
 * transaction chose the same slug
 */
export async function createUser(
  tx: Db,
  user: {
    name: string
    email: string
    passwordHash?: string
    emailVerifiedAt?: Date
    avatarUrl?: string | null
    language?: Language
  },
): Promise<{ userId: string; workspaceId: string; slug: string }> {
  const { id: userId } = await tx.user.create({ data: user, select: { id: true } })
  const slug = await chooseSlug(tx, user.name)
  const workspace = await tx.workspace.create({
    data: {
      name: personalName(user.name, translatorForUser(user.language)),
      slug,
      personalOwnerId: userId,
      appPolicy: newWorkspacePolicy(),
      members: { create: { userId, role: 'ADMIN' } },
    },
    select: { id: true },
  })
  return { userId, workspaceId: workspace.id, slug }
}

/**
 * Returns the name of a user's personal workspace. Omits the user's name if the workspace's name would
 * otherwise be misleading (`misleadingNameProblem`).
 */
function personalName(user: string, say: Say): string {
  const name = say('signup.workspace', { user })
  return misleadingNameProblem(name) ? say('signup.workspaceUnnamed') : name
}
