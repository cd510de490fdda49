import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { loadAdmissions } from '@/lib/features/apps/authorizations/load-admissions'
import { requireInstallableInto } from '@/lib/policy/app-status'
import type { Scope } from '@/lib/policy/scopes'

/** An app that can be installed, with what it asks for. */
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
 * An app that can be installed into a workspace now.
 * @throws AppError NOT_FOUND (no such app, or none that can be installed), APP_IN_DEVELOPMENT, CONFLICT (the workspace keeps it out)
 */
export async function requireInstallable(clientId: string, workspaceId: string): Promise<InstallableApp> {
  const app = await prisma().oAuthClient.findUnique({
    where: { id: clientId, disabledAt: null },
    include: { workspace: { select: { name: true } } },
  })
  if (!app || app.installScopes.length === 0) {
    throw new AppError('NOT_FOUND', 'There is no such app, or it cannot be installed.')
  }
  requireInstallableInto(app, workspaceId)
  const judged = { clientId, workspaceId: app.workspaceId, installed: true }
  const admission = (await loadAdmissions(prisma(), [judged], [workspaceId]))(judged, workspaceId)
  if (admission.kind === 'closed') {
    throw new AppError(
      'CONFLICT',
      admission.reason === 'blocked'
        ? 'The app is blocked in this workspace. Unblock it first.'
        : 'This workspace lets in its own apps alone. Change its policy first.',
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
