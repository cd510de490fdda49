import { type CountedSlice, cutPage, keysetQuery, type Page } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { decideAbout } from '@/lib/features/app-access/decide'
import { requireDecider } from '@/lib/features/app-access/list-installed'
import type { ManagedApp, OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { allowedTo } from '@/lib/policy/app-status'
import { limitScopes } from '@/lib/policy/scopes'
import { managedAppInput } from './identity-provider'

/**
 * An SSO-managed app with its name. `scopes` contains the scopes that the workspace's admins chose, limited
 * to those that the app can currently request.
 */
export type ListedManagedApp = Pick<ManagedApp, 'id' | 'clientId' | 'scopes' | 'createdAt' | 'lastUsedAt'> & {
  client: { name: string }
}

const named = { client: { select: { name: true, allowedScopes: true } } } as const
type Named = ManagedApp & { client: Pick<OAuthClient, 'name' | 'allowedScopes'> }

/**
 * Allows an app to act for users based on assertions from the workspace's identity provider, or changes the
 * app's scopes. See ADR 0024.
 * @param input `clientId` of an enabled app with a secret or a key; `scopes`, the maximum scopes of the app
 * @throws AppError BAD_USER_INPUT, and the errors of `decideAbout`
 */
export async function allowManagedApp(
  actor: Actor,
  workspaceId: string,
  input: unknown,
): Promise<ListedManagedApp> {
  await requireDecider(actor, workspaceId)
  const { clientId, scopes } = parseInput(managedAppInput, input)
  const app = await prisma().oAuthClient.findUnique({ where: { id: clientId, disabledAt: null } })
  if (!app) throw badInput('clientId', 'There is no app with this client ID. Check the ID.')
  if (!isConfidential(app)) {
    throw badInput(
      'clientId',
      'This app has neither a secret nor a key, so anyone could impersonate it. Choose another app.',
    )
  }
  const { managed } = await decideAbout(actor, workspaceId, clientId, async (tx, id) => {
    const given = { scopes, allowedById: actor.userId }
    const managed = await tx.managedApp.upsert({
      where: { workspaceId_clientId: { workspaceId: id, clientId } },
      create: { workspaceId: id, clientId, ...given },
      update: given,
      include: named,
    })
    return { action: 'app.managed', details: { scopes }, managed }
  })
  return asListed(managed)
}

/**
 * Removes an app from a workspace's SSO-managed apps. The tokens that the app obtained with assertions for
 * this workspace stop working immediately.
 * @throws AppError NOT_FOUND, and the errors of `decideAbout`
 */
export async function removeManagedApp(actor: Actor, workspaceId: string, clientId: string): Promise<void> {
  await decideAbout(actor, workspaceId, clientId, async (tx, id) => {
    const { count } = await tx.managedApp.deleteMany({ where: { workspaceId: id, clientId } })
    if (count === 0)
      throw new AppError(
        'NOT_FOUND',
        'This app has no SSO-managed access to this workspace. Reload and try again.',
      )
    return { action: 'app.unmanaged' }
  })
}

/**
 * Returns one page of the SSO-managed apps of a workspace, oldest first.
 * @throws the errors of `requireDecider`
 */
export async function listManagedApps(
  actor: Actor,
  workspaceId: string,
  page: Page,
): Promise<CountedSlice<ListedManagedApp>> {
  const { id } = await requireDecider(actor, workspaceId)
  const { bounds, ...window } = keysetQuery(page)
  const rows = await prisma().managedApp.findMany({
    where: { workspaceId: id, id: bounds },
    include: named,
    ...window,
  })
  const count = () => prisma().managedApp.count({ where: { workspaceId: id } })
  return { ...cutPage(page, rows.map(asListed)), count }
}

function asListed({ client: { name, allowedScopes }, ...app }: Named): ListedManagedApp {
  return { ...app, client: { name }, scopes: limitScopes(app.scopes, allowedTo(app.clientId, allowedScopes)) }
}

/** Returns whether an app authenticates as a confidential client (RFC 6749 section 2.1). */
function isConfidential({ type, metadata }: { type: string; metadata: unknown }): boolean {
  const method = (metadata as { token_endpoint_auth_method?: string } | null)?.token_endpoint_auth_method
  return method === undefined ? type === 'WEB' : method !== 'none'
}
