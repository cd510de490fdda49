import { prisma } from '@/lib/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { visibleProjects, visibleWorkspaces } from '@/lib/policy/visible'

/** An app that a person authorized, as Account > Apps and GraphQL's AuthorizedApp show it. */
export type AuthorizedApp = {
  id: string
  scopes: string[]
  createdAt: Date
  lastUsedAt: Date | null
  app: {
    id: string
    name: string
    logoUrl: string | null
    homepageUrl: string | null
    /** The workspace that runs it; null for an app that registered itself. */
    workspaceName: string | null
    verified: boolean
  }
  /** What is shared now: things that are gone, or that the person lost, have dropped out. */
  workspaces: { id: string; name: string }[]
  projects: { id: string; name: string; workspaceName: string }[]
}

/**
 * The apps a person authorized, the latest used first.
 * @throws AppError FORBIDDEN for tokens that do not speak for the person
 */
export async function listAuthorizations(actor: Actor): Promise<AuthorizedApp[]> {
  authorizeAccount(actor)
  const rows = await prisma().authorization.findMany({
    where: { userId: actor.userId },
    include: { client: { include: { workspace: { select: { name: true } } } } },
    orderBy: [{ lastUsedAt: { sort: 'desc', nulls: 'last' } }, { createdAt: 'desc' }],
    take: 500,
  })
  const ids = (pick: (row: (typeof rows)[number]) => string[]) => [...new Set(rows.flatMap(pick))]
  const [workspaces, projects] = await Promise.all([
    prisma().workspace.findMany({
      where: { AND: [visibleWorkspaces(actor), { id: { in: ids((row) => row.workspaceIds) } }] },
      select: { id: true, name: true },
      orderBy: { name: 'asc' },
    }),
    prisma().project.findMany({
      where: { AND: [visibleProjects(actor), { id: { in: ids((row) => row.projectIds) } }] },
      select: { id: true, name: true, workspace: { select: { name: true } } },
      orderBy: { name: 'asc' },
    }),
  ])
  return rows.map((row) => ({
    id: row.id,
    scopes: row.scopes,
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
    app: {
      id: row.client.id,
      name: row.client.name,
      logoUrl: row.client.logoUrl,
      homepageUrl: row.client.homepageUrl,
      workspaceName: row.client.workspace?.name ?? null,
      verified: row.client.verifiedAt !== null,
    },
    workspaces: workspaces.filter(({ id }) => row.workspaceIds.includes(id)),
    projects: projects
      .filter(({ id }) => row.projectIds.includes(id))
      .map(({ id, name, workspace }) => ({ id, name, workspaceName: workspace.name })),
  }))
}
