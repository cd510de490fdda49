import { z } from 'zod'
import { config } from '@/lib/base/config/env'
import { type CountedSlice, cutPage, keysetQuery, type Page } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { byName } from '@/lib/base/language/languages'
import { loadAdmissions } from '@/lib/features/apps/authorizations/selectable'
import { installScopesInput } from '@/lib/features/apps/input'
import type { Installation } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { admittedWorkspaces } from '@/lib/policy/app-policy'
import { requireInstallableInto } from '@/lib/policy/app-status'
import { limitScopes, type Scope, withIncluded } from '@/lib/policy/scopes'
import { decideAbout } from './decide'
import { projectsInput } from './input'
import { requireDecider } from './list-installed'

const before = () => `${config().BASE_URL}/installations/`

/**
 * Returns the resource indicator (RFC 8707) with which an app requests a token for an installation. See
 * ADR 0020.
 */
export const installationResource = (id: string): string => `${before()}${id}`

/**
 * Returns the ID of the installation that a resource indicator or token audience identifies, or undefined for
 * other values.
 */
export const installationNamed = (resource: unknown): string | undefined =>
  typeof resource === 'string' && resource.startsWith(before()) ? resource.slice(before().length) : undefined

/** An app that can be installed, with the scopes that it requests for an installation. */
export type InstallableApp = {
  id: string
  name: string
  logoUrl: string | null
  logoDarkUrl: string | null
  scopes: Scope[]
  verified: boolean
  runBy: string | null
}

/**
 * Returns the name of an app that can be installed in at least one of the workspaces, regardless of their
 * policies, or undefined.
 */
export async function nameInstallable(
  clientId: string,
  workspaceIds: readonly string[],
): Promise<string | undefined> {
  const app = await prisma().oAuthClient.findUnique({
    where: { id: clientId, disabledAt: null, installScopes: { isEmpty: false } },
    select: { name: true, inDevelopment: true, workspaceId: true },
  })
  const visible = app && (!app.inDevelopment || (app.workspaceId && workspaceIds.includes(app.workspaceId)))
  return visible ? app.name : undefined
}

/**
 * Returns an app if it can currently be installed in a workspace.
 * @throws AppError NOT_FOUND (no such app, or the app is disabled or requests no installation scopes),
 * APP_IN_DEVELOPMENT, CONFLICT (the workspace does not allow the app)
 */
export async function requireInstallable(clientId: string, workspaceId: string): Promise<InstallableApp> {
  const app = await prisma().oAuthClient.findUnique({
    where: { id: clientId, disabledAt: null },
    include: { workspace: { select: { name: true } } },
  })
  if (!app || app.installScopes.length === 0) {
    throw new AppError('NOT_FOUND', 'The app was not found, or it can’t be installed.')
  }
  requireInstallableInto(app, workspaceId)
  const judged = { clientId, workspaceId: app.workspaceId, installed: true }
  const admission = (await loadAdmissions(prisma(), [judged], [workspaceId]))(judged, workspaceId)
  if (admission.kind === 'closed') {
    throw new AppError(
      'CONFLICT',
      admission.reason === 'blocked'
        ? 'The app is blocked in this workspace. Unblock it first.'
        : 'This workspace allows only its own apps. Change its policy first.',
    )
  }
  return {
    id: app.id,
    name: app.name,
    logoUrl: app.logoUrl,
    logoDarkUrl: app.logoDarkUrl,
    scopes: app.installScopes as Scope[],
    verified: app.verifiedAt !== null,
    runBy: app.workspace?.name ?? null,
  }
}

const installInput = z.object({
  scopes: installScopesInput.refine((list) => list.length > 0, 'Choose at least one scope.'),
  projectIds: projectsInput,
})

/**
 * Installs an app in a workspace. The app can then get tokens that act for the workspace without a user,
 * within the given scopes and projects. If the app is already installed, updates the installation and keeps
 * its ID. A suspended installation remains suspended.
 * @param input `scopes` (one or more of the scopes that the app requests for an installation, or of the
 * scopes included in them), `projectIds` (default: the whole workspace)
 * @throws AppError BAD_USER_INPUT, and the errors of `requireInstallable` and `decideAbout`
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
    throw badInput('scopes', 'Choose only scopes that the app requests.')
  }
  await decideAbout(actor, id, clientId, async (tx) => {
    const projects = projectIds ?? []
    const known = await tx.project.count({ where: { workspaceId: id, id: { in: projects } } })
    if (known !== projects.length) throw badInput('projectIds', 'Choose only projects in this workspace.')
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
 * Uninstalls an app from a workspace. The app's tokens for this installation fail at their next use. Users'
 * authorizations remain.
 * @throws AppError NOT_FOUND (the app is not installed), and the errors of `decideAbout`
 */
export async function uninstallApp(actor: Actor, workspaceId: string, clientId: string): Promise<void> {
  await decideAbout(actor, workspaceId, clientId, async (tx, id) => {
    const where = { workspaceId_clientId: { workspaceId: id, clientId } }
    const found = await tx.installation.findUnique({ where, select: { id: true } })
    const { count } = await tx.installation.deleteMany({ where: { workspaceId: id, clientId } })
    if (!found || count === 0) throw new AppError('NOT_FOUND', 'This app isn’t installed in the workspace.')
    return { action: 'app.uninstalled', details: { installationId: found.id } }
  })
}

/**
 * Returns the data for the installation page: the app, the first 200 of the workspace's projects by name, and
 * the current installation (null if the app is not installed).
 * @throws the errors of `requireDecider` and `requireInstallable`
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

/**
 * Suspends an installation until it is resumed. The installation's tokens are rejected at their next use, and
 * the app cannot request new ones. The installation and users' authorizations remain. If the installation is
 * already suspended, only its suspension time changes, and another event is recorded. See ADR 0020.
 * @throws AppError NOT_FOUND (the app is not installed), and the errors of `decideAbout`
 */
export const suspendInstallation = (actor: Actor, workspaceId: string, clientId: string): Promise<void> =>
  change(actor, workspaceId, clientId, true)

/**
 * Resumes a suspended installation. If the installation is not suspended, it does not change, but an event is
 * recorded.
 * @throws the errors of `suspendInstallation`
 */
export const resumeInstallation = (actor: Actor, workspaceId: string, clientId: string): Promise<void> =>
  change(actor, workspaceId, clientId, false)

async function change(actor: Actor, workspaceId: string, clientId: string, suspend: boolean): Promise<void> {
  await decideAbout(actor, workspaceId, clientId, async (tx, id) => {
    const [changed] = await tx.installation.updateManyAndReturn({
      where: { workspaceId: id, clientId },
      data: { suspendedAt: suspend ? new Date() : null },
      select: { id: true },
    })
    if (!changed) throw new AppError('NOT_FOUND', 'This app isn’t installed in the workspace.')
    return { action: suspend ? 'app.suspended' : 'app.resumed', details: { installationId: changed.id } }
  })
}

/** An installation with the name and slug of its workspace. */
export type ListedInstallation = Installation & { workspace: { name: string; slug: string } }

/**
 * Returns one page of the calling app's installations, oldest first. The app's background jobs use this list
 * to find the workspaces that installed the app. Suspended installations are included and have `suspendedAt`.
 * Installations in workspaces that block the app or whose policy excludes the app are not returned. While the
 * app is in development, only the installation in the app's own workspace is returned. Scopes are limited to
 * those that the app can request now.
 * @throws AppError FORBIDDEN unless the caller is an app that acts for itself or for an installation
 */
export async function listOwnInstallations(
  actor: Actor,
  page: Page,
): Promise<CountedSlice<ListedInstallation>> {
  if (actor.kind !== 'installation') {
    throw new AppError(
      'FORBIDDEN',
      'This query requires an app installation’s token. Get one with the client_credentials grant.',
    )
  }
  const { clientId } = actor
  const app = await prisma().oAuthClient.findUniqueOrThrow({
    where: { id: clientId },
    select: { workspaceId: true, transferredAt: true, inDevelopment: true, allowedScopes: true },
  })
  const { inDevelopment, allowedScopes } = app
  // No workspace owns the app while its transfer is unfinished.
  const workspaceId = app.transferredAt === null ? app.workspaceId : null
  const admitting = admittedWorkspaces({ clientId, workspaceId, installed: true })
  const home = inDevelopment ? { id: { in: workspaceId === null ? [] : [workspaceId] } } : {}
  const where = { clientId, workspace: { AND: [admitting, home] } }
  const { bounds, ...window } = keysetQuery(page)
  const rows = await prisma().installation.findMany({
    where: { AND: [where, { id: bounds }] },
    include: { workspace: { select: { name: true, slug: true } } },
    ...window,
  })
  const listed = rows.map((row) => ({ ...row, scopes: limitScopes(row.scopes, allowedScopes) }))
  return { ...cutPage(page, listed), count: () => prisma().installation.count({ where }) }
}
