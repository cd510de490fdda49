import { cutPage, keysetQuery, type Page, type Slice } from '@/lib/db/keyset'
import { prisma } from '@/lib/db/prisma'
import type { Environment } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireProject } from '@/lib/policy/require'

/**
 * One page of a project's environments, oldest first.
 * @throws AppError as `authorizeProject`
 */
export async function listEnvironments(
  actor: Actor,
  projectId: string,
  page: Page,
): Promise<Slice<Environment>> {
  const project = await requireProject(actor, 'project:read', projectId)
  const { bounds, ...window } = keysetQuery(page)
  const rows = await prisma().environment.findMany({
    where: { projectId: project.id, id: bounds },
    ...window,
  })
  return cutPage(page, rows)
}
