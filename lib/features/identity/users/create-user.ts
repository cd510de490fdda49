import type { Db } from '@/lib/base/db/prisma'
import { misleadingNameProblem } from '@/lib/base/errors/names'
import type { Language } from '@/lib/base/language/languages'
import { type Say, translatorForUser } from '@/lib/base/language/say'
import { chooseSlug, newWorkspacePolicy } from '@/lib/features/workspaces/create-workspace'

/**
 * Creates a user and the personal workspace that they administer, in the caller's transaction.
 * @returns the IDs and the slug
 * @throws a unique violation on `email` if the address already has an account
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

/** Returns the workspace's name, without the user's name if third parties could mistake it for an official one. */
function personalName(user: string, say: Say): string {
  const name = say('signup.workspace', { user })
  return misleadingNameProblem(name) ? say('signup.workspaceUnnamed') : name
}
