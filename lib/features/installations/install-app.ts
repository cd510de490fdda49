import { z } from 'zod'
import { prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { byName } from '@/lib/base/language/languages'
import { decideAbout } from '@/lib/features/app-access/decide-about'
import { projectsInput } from '@/lib/features/app-access/input'
import { requireDecider } from '@/lib/features/app-access/require-decider'
import { installScopesInput } from '@/lib/features/apps/install-scopes'
import type { Actor } from '@/lib/policy/actor'
import { withIncluded } from '@/lib/policy/scopes'
import { requireInstallable } from './require-installable'

const installInput = z.object({
  scopes: installScopesInput.refine((list) => list.length > 0, 'Choose at least one thing that it may do.'),
  projectIds: projectsInput,
})

/**
 * Installs an app into a workspace: from now on it can get tokens that act for the workspace, within scopes and projects and
 * with nobody behind them. One that is installed already is changed, and keeps its id.
 * @param input `scopes`, which the app must ask for; `projectIds` (the whole workspace unless given)
 * @throws AppError BAD_USER_INPUT, as `requireInstallable`, and as `requireDecider`
 */
export async function installApp(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  input: unknown,
): Promise<void> {
  const { id } = await requireDecider(actor, workspaceId)
  const { scopes, projectIds } = parseInput(installInput, input)
  const app = await requireInstallable(clientId, id)
  const offered = withIncluded(app.scopes)
  if (!scopes.every((scope) => offered.includes(scope))) {
    throw badInput('scopes', 'Choose among what the app asks for.')
  }
  await decideAbout(actor, id, clientId, async (tx) => {
    const projects = projectIds ?? []
    const known = await tx.project.count({ where: { workspaceId: id, id: { in: projects } } })
    if (known !== projects.length) throw badInput('projectIds', 'Choose projects of this workspace.')
    if (projectIds?.length === 0) throw badInput('projectIds', 'Choose at least one project.')
    const given = { scopes, allProjects: !projectIds, projectIds: projects, installedById: actor.userId }
    const { id: installationId } = await tx.installation.upsert({
      where: { workspaceId_clientId: { workspaceId: id, clientId } },
      create: { workspaceId: id, clientId, ...given },
      update: given,
      select: { id: true },
    })
    return {
      action: 'app.installed',
      details: { installationId, scopes, ...(projectIds ? { projectIds } : {}) },
    }
  })
}

/**
 * Uninstalls an app from a workspace. Its tokens for it are dead at their next request; what people allow it stays.
 * @throws AppError NOT_FOUND (it is not installed), and as `requireDecider`
 */
export async function uninstallApp(actor: Actor, workspaceId: string, clientId: string): Promise<void> {
  await decideAbout(actor, workspaceId, clientId, async (tx, id) => {
    const where = { workspaceId_clientId: { workspaceId: id, clientId } }
    const found = await tx.installation.findUnique({ where, select: { id: true } })
    const { count } = await tx.installation.deleteMany({ where: { workspaceId: id, clientId } })
    if (!found || count === 0) throw new AppError('NOT_FOUND', 'The app is not installed here.')
    return { action: 'app.uninstalled', details: { installationId: found.id } }
  })
}

/**
 * What the page that installs an app needs: the app, the projects to choose from, and how it is installed by now.
 * @throws AppError as `requireDecider` and `requireInstallable`
 */
export async function readInstallOffer(actor: Actor, workspaceId: string, clientId: string) {
  const { id } = await requireDecider(actor, workspaceId)
  const app = await requireInstallable(clientId, id)
  const [projects, installed] = await Promise.all([
    prisma().project.findMany({
      where: { workspaceId: id },
      select: { id: true, name: true },
      orderBy: { name: 'asc' },
      take: 200,
    }),
    prisma().installation.findUnique({ where: { workspaceId_clientId: { workspaceId: id, clientId } } }),
  ])
  return { app, projects: projects.sort(byName), installed }
}
