import { prisma } from '@/lib/base/db/prisma'
import { knownProjects, knownWorkspaces } from '@/lib/policy/visible'

/** What a person shares with an app, by name. */
export type NamedSelection = {
  workspaces: { id: string; name: string }[]
  projects: { id: string; name: string; workspaceName: string; workspaceId: string }[]
}

/**
 * Names the workspaces and projects that are shared with apps, sorted by name. What is gone, or what the person has no
 * role in any more, is not shared and drops out. What asks for two factors is named to whoever shared it, in any session: a
 * page that left it out would hide what the app still reaches.
 */
export async function nameSelection(
  userId: string,
  selection: { workspaceIds: string[]; projectIds: string[] },
): Promise<NamedSelection> {
  const { workspaceIds, projectIds } = selection
  const [workspaces, projects] = await Promise.all([
    workspaceIds.length === 0
      ? []
      : prisma().workspace.findMany({
          where: { AND: [knownWorkspaces(userId), { id: { in: workspaceIds } }] },
          select: { id: true, name: true },
          orderBy: { name: 'asc' },
        }),
    projectIds.length === 0
      ? []
      : prisma().project.findMany({
          where: { AND: [knownProjects(userId), { id: { in: projectIds } }] },
          select: { id: true, name: true, workspaceId: true, workspace: { select: { name: true } } },
          orderBy: { name: 'asc' },
        }),
  ])
  return {
    workspaces,
    projects: projects.map(({ workspace, ...project }) => ({ ...project, workspaceName: workspace.name })),
  }
}
