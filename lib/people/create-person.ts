import { randomBytes } from 'node:crypto'
import type { Db } from '@/lib/db/prisma'

/** Lower case letters, digits and dashes, from a name; what is left of "Ådå Løv" is "ada-lv". */
export const slugFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')

/**
 * Writes a new person and the personal workspace they administer, in the caller's transaction.
 * The workspace's slug is the name's when nobody has it, else with a few random characters.
 * @returns the ids and the slug
 * @throws a unique violation on `email` when the address already has an account
 */
export async function createPerson(
  tx: Db,
  person: {
    name: string
    email: string
    passwordHash?: string
    emailVerifiedAt?: Date
    avatarUrl?: string | null
  },
): Promise<{ userId: string; workspaceId: string; slug: string }> {
  const user = await tx.user.create({ data: person, select: { id: true } })
  const wanted = slugFrom(person.name)
  const taken = wanted === '' || (await tx.workspace.count({ where: { slug: wanted } })) > 0
  const slug = taken ? `${wanted || 'workspace'}-${randomBytes(4).toString('hex')}` : wanted
  const workspace = await tx.workspace.create({
    data: {
      name: `${person.name}'s workspace`,
      slug,
      personalOwnerId: user.id,
      members: { create: { userId: user.id, role: 'ADMIN' } },
    },
    select: { id: true },
  })
  return { userId: user.id, workspaceId: workspace.id, slug }
}
