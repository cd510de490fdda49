import { notFound } from 'next/navigation'
import { cache } from 'react'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { allows, type ProjectPermission } from '@/lib/policy/permissions'
import { projectRoleOf, requireProject } from '@/lib/policy/require'

/** Returns the project. Reads the project once per request for both the tabs and the content of the page. */
const readProject = cache(requireProject)

/**
 * Returns the project of a page. If the project is not in the page's workspace, the user gets a 404.
 * @param params the dynamic segments of the route
 * @param below the path below the project, to return to after the sign-in
 * @param needed the permission that the page requires; users without it get a 404
 * @returns the result of `openWorkspace`, the project, its path, and a check of the user's permissions in it
 */
export async function openProject(
  params: Promise<{ slug: string; id: string }>,
  below = '',
  needed: ProjectPermission = 'project:read',
) {
  const { slug, id } = await params
  const opened = await openWorkspace(slug, `/projects/${id}${below}`)
  const project = await orNotFound(readProject(opened.actor, 'project:read', id))
  const role = projectRoleOf(project)
  const may = (permission: ProjectPermission) => allows(role, permission)
  if (project.workspaceId !== opened.workspace.id || !may(needed)) notFound()
  return { ...opened, project, may, address: `${opened.home}/projects/${project.id}` }
}
