import { notFound } from 'next/navigation'
import { cache } from 'react'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { allows, type ProjectPermission } from '@/lib/policy/permissions'
import { projectRoleOf, requireProject } from '@/lib/policy/require'

/** Read once per request, for the tabs and for the page alike. */
const readProject = cache(requireProject)

/**
 * The project a page is about.
 * @param params of the page's address
 * @param below the rest of the page's address, for the way back after signing in
 * @param needed what one must be allowed to see the page at all
 * @returns what `openWorkspace` does, the project, its address, and what the user may do in it
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
