import { cutPage, type Page, type Slice } from '@/lib/base/db/keyset'
import type { Actor } from '@/lib/policy/actor'
import type { ProjectRow } from '@/lib/policy/require'
import { reachedWorkspaceIds } from '@/lib/policy/visible'
import { pageOfProjects } from './page-of-projects'

const findPage = pageOfProjects('list-all-projects', reachedWorkspaceIds, '$9')

/**
 * One page of every project an actor sees, whatever its workspace, oldest first: an app that was given single projects
 * need not know where they belong.
 * See decision 063.
 * @throws AppError INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope
 */
export async function listAllProjects(actor: Actor, page: Page): Promise<Slice<ProjectRow>> {
  return cutPage(page, await findPage(actor, page))
}
