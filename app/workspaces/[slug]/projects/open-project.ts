import { notFound } from 'next/navigation'
import { cache } from 'react'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { projectRoleOf, requireProject } from '@/lib/policy/require'
import { type Role, reaches } from '@/lib/policy/roles'

/** Read once per request, for the tabs and for the page alike. */
const readProject = cache(requireProject)

/**
 * The project a page is about.
 * @param params of the page's address
 * @param below the rest of the page's address, for the way back after signing in
 * @param needed the role it takes to see the page at all
 * @returns what `openWorkspace` does, the project with the person's role in it, and its address
 */
export async function openProject(
  params: Promise<{ slug: string; id: string }>,
  below = '',
  needed: Role = 'VIEWER',
) {
  const { slug, id } = await params
  const opened = await openWorkspace(slug, `/projects/${id}${below}`)
  const project = await orNotFound(readProject(opened.actor, 'project:read', id))
  const role = projectRoleOf(project)
  if (project.workspaceId !== opened.workspace.id || !reaches(role, needed)) notFound()
  return { ...opened, project, role, address: `${opened.home}/projects/${project.id}` }
}
