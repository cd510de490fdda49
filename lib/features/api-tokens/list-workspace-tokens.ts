import { type CountedSlice, cutPage } from '@/lib/base/db/keyset'
import { listEach } from '@/lib/base/db/list-each'
import { prisma } from '@/lib/base/db/prisma'
import type { ApiToken } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'
import { type TokenFilter, tokensMatching } from './list-api-tokens'
import { type TokenPage, tokenWindow } from './token-order'

/** A token that reaches into a workspace: who made it, and the one project it is confined to, if it is. */
export type WorkspaceTokenRow = ApiToken & {
  user: { id: string; name: string }
  project: { id: string; name: string; workspaceId: string } | null
}

const namedPlaces = {
  user: { select: { id: true, name: true } },
  project: { select: { id: true, name: true, workspaceId: true } },
} as const

/**
 * One page of the tokens made for a workspace or for one of its projects, whoever made them, oldest first unless asked otherwise. Account tokens
 * are not among them: they belong to their person, and end for the workspace with the person's role. Takes `workspace:manage-tokens`.
 * @throws AppError as `authorizeWorkspace`
 */
export async function listWorkspaceTokens(
  actor: Actor,
  workspaceId: string,
  asked: TokenPage,
  filter: TokenFilter = {},
): Promise<CountedSlice<WorkspaceTokenRow>> {
  const workspace = await requireWorkspace(actor, 'workspace:manage-tokens', workspaceId)
  const { page, bounds, order, place } = tokenWindow(asked)
  const where = {
    OR: [{ workspaceId: workspace.id }, { project: { workspaceId: workspace.id } }],
    ...tokensMatching(filter),
  }
  const rows = await prisma().apiToken.findMany({
    where: { AND: [where, bounds] },
    include: namedPlaces,
    ...order,
  })
  return { ...cutPage(page, place(rows)), count: () => prisma().apiToken.count({ where }) }
}

/** The same of several workspaces. The caller has required `workspace:manage-tokens` on each. */
export const workspaceTokensOf = listEach<WorkspaceTokenRow>(
  'workspace-tokens-of',
  {
    table: `(SELECT id, workspace_id AS place FROM api_tokens WHERE workspace_id IS NOT NULL
             UNION ALL SELECT t.id, p.workspace_id FROM api_tokens t JOIN projects p ON p.id = t.project_id)`,
    parent: 'place',
  },
  (ids) => prisma().apiToken.findMany({ where: { id: { in: ids } }, include: namedPlaces }),
)
