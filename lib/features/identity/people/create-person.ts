import type { Db } from '@/lib/base/db/prisma'
import { impersonationProblem } from '@/lib/base/errors/names'
import type { Language } from '@/lib/base/language/languages'
import { type Say, sayToPerson } from '@/lib/base/language/say'
import { chooseSlug, newWorkspacePolicy } from '@/lib/features/workspaces/create-workspace'

/**
 * Creates a user and the personal workspace that they administer, in the caller's transaction.
 * @returns the IDs and the slug
 * @throws a unique violation on `email` if the address already has an account
 */
export async function createPerson(
  tx: Db,
  person: {
    name: string
    email: string
    passwordHash?: string
    emailVerifiedAt?: Date
    avatarUrl?: string | null
    language?: Language
  },
): Promise<{ userId: string; workspaceId: string; slug: string }> {
  const user = await tx.user.create({ data: person, select: { id: true } })
  const slug = await chooseSlug(tx, person.name)
  const workspace = await tx.workspace.create({
    data: {
      name: personalName(person.name, sayToPerson(person.language)),
      slug,
      personalOwnerId: user.id,
      appPolicy: newWorkspacePolicy(),
      members: { create: { userId: user.id, role: 'ADMIN' } },
    },
    select: { id: true },
  })
  return { userId: user.id, workspaceId: workspace.id, slug }
}

/** Returns the workspace's name, without the user's name if third parties could mistake it for an official one. */
function personalName(person: string, say: Say): string {
  const name = say('signup.workspace', { person })
  return impersonationProblem(name) ? say('signup.workspaceUnnamed') : name
}
