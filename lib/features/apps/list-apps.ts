import { prisma } from '@/lib/base/db/prisma'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'

/** An app as lists show it. */
export type AppSummary = Pick<
  OAuthClient,
  'id' | 'name' | 'type' | 'logoUrl' | 'createdAt' | 'disabledAt'
> & { people: number }

const most = 500

/**
 * The OAuth apps of a workspace, by name. Those that registered themselves belong to no workspace and are not among them.
 * @throws AppError as `authorizeWorkspace` for `workspace:manage-apps`
 */
export async function listApps(actor: Actor, workspaceId: string): Promise<AppSummary[]> {
  const workspace = await requireWorkspace(actor, 'workspace:manage-apps', workspaceId)
  const apps = await prisma().oAuthClient.findMany({
    where: { workspaceId: workspace.id, source: 'SETTINGS' },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: most,
    select: {
      id: true,
      name: true,
      type: true,
      logoUrl: true,
      createdAt: true,
      disabledAt: true,
      _count: { select: { authorizations: true } },
    },
  })
  return apps.map(({ _count, ...app }) => ({ ...app, people: _count.authorizations }))
}
