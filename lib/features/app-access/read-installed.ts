import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { byName } from '@/lib/base/language/languages'
import type { Actor } from '@/lib/policy/actor'
import { type InstalledApp, listInstalled } from './list-installed'

const only = { limit: 1, backward: false, after: null, before: null }

/** As many as an approval can name. */
const mostProjects = 200

/**
 * One app as `listInstalled` lists them, also one that nobody has let in yet.
 * @throws AppError NOT_FOUND (no such app), and as `requireDecider`
 */
export async function findInstalled(
  actor: Actor,
  workspaceId: string,
  clientId: string,
): Promise<InstalledApp> {
  const {
    rows: [app],
  } = await listInstalled(actor, workspaceId, only, { clientId })
  if (!app) throw new AppError('NOT_FOUND', 'There is no such app here.')
  return app
}

/**
 * The same with the workspace's projects that an approval can name and the scopes that open requests ask for.
 * @throws as `findInstalled`
 */
export async function readInstalled(
  actor: Actor,
  workspaceId: string,
  clientId: string,
): Promise<{ app: InstalledApp; projects: { id: string; name: string }[]; asked: string[] }> {
  const app = await findInstalled(actor, workspaceId, clientId)
  const projects = await prisma().project.findMany({
    where: { workspaceId },
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
    take: mostProjects,
  })
  const open = await prisma().workspaceAppRequest.findMany({
    where: { workspaceId, clientId, state: 'OPEN' },
    select: { scopes: true },
  })
  return { app, projects: projects.sort(byName), asked: [...new Set(open.flatMap(({ scopes }) => scopes))] }
}
