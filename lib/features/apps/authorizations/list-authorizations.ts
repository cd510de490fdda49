import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { type NamedSelection, nameSelection } from './name-selection'

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
} & NamedSelection

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
  const { workspaces, projects } = await nameSelection(actor.userId, {
    workspaceIds: [...new Set(rows.flatMap((row) => row.workspaceIds))],
    projectIds: [...new Set(rows.flatMap((row) => row.projectIds))],
  })
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
    projects: projects.filter(({ id }) => row.projectIds.includes(id)),
  }))
}
