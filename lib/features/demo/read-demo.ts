import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'

/** Whether a workspace was made by the demo. The caller has read it. */
export const isDemoWorkspace = async (id: string): Promise<boolean> =>
  (await prisma().workspace.count({ where: { id, demo: true } })) > 0

/** How many people and workspaces of the demo there are. @throws AppError FORBIDDEN for anyone but the operator */
export async function countDemo(actor: Actor): Promise<{ people: number; workspaces: number }> {
  authorizeInstance(actor)
  const [people, workspaces] = await Promise.all([
    prisma().user.count({ where: { demo: true } }),
    prisma().workspace.count({ where: { demo: true } }),
  ])
  return { people, workspaces }
}
