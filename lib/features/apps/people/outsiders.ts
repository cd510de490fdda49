import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { outside } from '@/lib/policy/app-status'
import { requireApp } from '../require-app'

/** Who loses an app that is taken into development: people outside its workspace, and other workspaces that installed it. */
export type Outside = {
  people: number
  installations: number
  /** The first few of those workspaces, by name. */
  workspaces: string[]
}

const shown = 5

/**
 * What taking an app into development would cut off.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace` for `workspace:manage-apps`
 */
export async function previewDevelopment(actor: Actor, clientId: string): Promise<Outside> {
  const app = await requireApp(actor, clientId)
  const where = { clientId: app.id, workspaceId: { not: app.workspaceId } }
  const [[people = 0], installations, first] = await Promise.all([
    countOutsidersOf([app.id]),
    prisma().installation.count({ where }),
    prisma().installation.findMany({
      where,
      select: { workspace: { select: { name: true } } },
      orderBy: { workspace: { name: 'asc' } },
      take: shown,
    }),
  ])
  return { people, installations, workspaces: first.map(({ workspace }) => workspace.name) }
}

const count = statement<{ id: string; people: number }, [ids: readonly string[]]>(
  'count-outsiders',
  `SELECT c.id, count(*)::int AS people
     FROM oauth_clients c JOIN authorizations z ON z.client_id = c.id
    WHERE c.id = ANY ($1) AND ${outside('c', 'z.user_id')} GROUP BY c.id`,
)

/** How many people outside its workspace have authorized each of several apps. The caller has required `workspace:manage-apps` for each. */
export async function countOutsidersOf(clientIds: readonly string[]): Promise<number[]> {
  const found = new Map((await count([...clientIds])).map(({ id, people }) => [id, people]))
  return clientIds.map((id) => found.get(id) ?? 0)
}
