import { inOrderOf } from '@/lib/base/db/in-order-of'
import type { CountedSlice } from '@/lib/base/db/keyset'
import { pageOfAll, type TextPage } from '@/lib/base/db/page-of-all'
import { prisma } from '@/lib/base/db/prisma'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'
import { type SecretSummary, secretSummary } from './get-app'

/** A workspace has no more in a list; nobody registers as many. */
const most = 500

/** The place of an app in a list by name: its name, as far as a cursor has room for it, and its id. */
export const placeOfApp = ({ id, name }: Pick<OAuthClient, 'id' | 'name'>): string =>
  `${name.toLowerCase().slice(0, 30)} ${id}`

/**
 * One page of the OAuth apps of a workspace, by name, with all that is set about them.
 * @throws AppError as `authorizeWorkspace` for `workspace:manage-apps`
 */
export async function pageApps(
  actor: Actor,
  workspaceId: string,
  page: TextPage,
): Promise<CountedSlice<OAuthClient>> {
  const workspace = await requireWorkspace(actor, 'workspace:manage-apps', workspaceId)
  const apps = await prisma().oAuthClient.findMany({
    where: { workspaceId: workspace.id, source: 'SETTINGS' },
    take: most,
  })
  return pageOfAll(apps, placeOfApp, page)
}

/** The apps of several workspaces, in any order. The caller has required `workspace:manage-apps` on each. One statement. */
export const listAppsOf = (workspaceIds: readonly string[], atMost: number): Promise<OAuthClient[]> =>
  prisma().oAuthClient.findMany({
    where: { workspaceId: { in: [...workspaceIds] }, source: 'SETTINGS' },
    take: Math.min(atMost, most * workspaceIds.length),
  })

/** The secrets of several apps, the newest first. The caller has required `workspace:manage-apps` for each. */
export async function listSecretsOf(clientIds: readonly string[]): Promise<SecretSummary[][]> {
  const rows = await prisma().oAuthClientSecret.findMany({
    where: { clientId: { in: [...clientIds] } },
    orderBy: { id: 'desc' },
    select: { ...secretSummary, clientId: true },
  })
  return inOrderOf(clientIds, rows, ({ clientId }) => clientId)
}

/** How many people have authorized each of several apps. The caller has required `workspace:manage-apps` for each. */
export async function countPeopleOf(clientIds: readonly string[]): Promise<number[]> {
  const groups = await prisma().authorization.groupBy({
    by: 'clientId',
    where: { clientId: { in: [...clientIds] } },
    _count: true,
  })
  const counts = new Map(groups.map(({ clientId, _count }) => [clientId, _count]))
  return clientIds.map((id) => counts.get(id) ?? 0)
}
