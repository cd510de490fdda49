import { prisma } from '@/lib/base/db/prisma'

/** What a person shares with an app, by name. */
export type NamedSelection = {
  workspaces: { id: string; name: string }[]
  projects: { id: string; name: string; workspaceName: string }[]
}

/**
 * Names the workspaces and projects that are shared with apps, sorted by name. What is gone, or what the person has no
 * role in any more, is not shared and drops out.
 */
export async function nameSelection(
  userId: string,
  selection: { workspaceIds: string[]; projectIds: string[] },
): Promise<NamedSelection> {
  const { workspaceIds, projectIds } = selection
  const mine = { members: { some: { userId } } }
  const [workspaces, projects] = await Promise.all([
    workspaceIds.length === 0
      ? []
      : prisma().workspace.findMany({
          where: { id: { in: workspaceIds }, ...mine },
          select: { id: true, name: true },
          orderBy: { name: 'asc' },
        }),
    projectIds.length === 0
      ? []
      : prisma().project.findMany({
          where: { id: { in: projectIds }, OR: [mine, { workspace: mine }] },
          select: { id: true, name: true, workspace: { select: { name: true } } },
          orderBy: { name: 'asc' },
        }),
  ])
  return {
    workspaces,
    projects: projects.map(({ id, name, workspace }) => ({ id, name, workspaceName: workspace.name })),
  }
}
