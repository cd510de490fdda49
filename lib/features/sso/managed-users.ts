import { pageStatement } from '@/lib/base/db/lists'
import {
  type CountedSlice,
  type NumberedPage,
  type NumberedRows,
  readNumbered,
  type TextPage,
} from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { requireDecider } from '@/lib/features/app-access/list-installed'
import { loadAdmissions, workspaceNote } from '@/lib/features/apps/authorizations/selectable'
import type { Actor } from '@/lib/policy/actor'
import { currentManagedAccess } from '@/lib/policy/app-grants'
import { allowedTo } from '@/lib/policy/app-status'
import { authorizeAccount } from '@/lib/policy/authorize'
import { limitScopes } from '@/lib/policy/scopes'

/** A user of an SSO-managed app. */
export type SsoManagedUser = { id: string; userId: string; name: string; since: Date; lastUsedAt: Date }

/**
 * SQL: the FROM and WHERE clauses that select the users of an SSO-managed app. $1 is the workspace, and $2 is
 * the app.
 */
const users = `FROM ${currentManagedAccess}
     JOIN managed_uses mu ON mu.managed_app_id = m.id AND mu.user_id = u.id
    WHERE m.workspace_id = $1::uuid AND m.client_id = $2`

const columns = `mu.id, u.id AS "userId", u.name, mu.created_at AS since, mu.last_used_at AS "lastUsedAt"`

const find = statement<
  SsoManagedUser & { total: number },
  [workspaceId: string, clientId: string, limit: number, offset: number]
>(
  'managed-users',
  `SELECT ${columns}, (count(*) OVER ())::int AS total ${users}
    ORDER BY mu.last_used_at DESC, mu.id LIMIT $3 OFFSET $4`,
)

/**
 * Returns one page of an SSO-managed app's users, sorted by the time of the app's latest token for each user,
 * latest first. Users are listed if the app obtained a token for them and the app and the user still meet the
 * conditions in `currentManagedAccess`. Returns the first page if the requested page is empty. See ADR 0024.
 * @throws the errors of `requireDecider`
 */
export async function listManagedUsers(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  page: NumberedPage,
): Promise<NumberedRows<SsoManagedUser>> {
  const { id } = await requireDecider(actor, workspaceId)
  return readNumbered(page, (limit, offset) => find(id, clientId, limit, offset))
}

type Values = [workspaceId: string, clientId: string]

const findPlaced = pageStatement<SsoManagedUser & { place: string }, Values>(
  'managed-users-by-id',
  `SELECT ${columns}, mu.id::text AS place ${users}`,
  2,
)

const countAll = statement<{ all: number }, Values>(
  'count-managed-users',
  `SELECT count(*)::int AS all ${users}`,
)

/**
 * Returns one cursor-based page of the users that `listManagedUsers` returns. The users are sorted by the
 * time of the app's first token for each user, earliest first.
 * @throws the errors of `requireDecider`
 */
export async function pageManagedUsers(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  page: TextPage,
): Promise<CountedSlice<SsoManagedUser>> {
  const { id } = await requireDecider(actor, workspaceId)
  const slice = await findPlaced(page, id, clientId)
  return { ...slice, count: async () => (await countAll(id, clientId))[0]?.all ?? 0 }
}

/** An SSO-managed app that acts for a user. */
export type SsoManagedApp = {
  id: string
  /** The scopes that the workspace's admins chose, limited to those that the app can currently request. */
  scopes: string[]
  since: Date
  lastUsedAt: Date
  app: {
    id: string
    name: string
    logoUrl: string | null
    /**
     * The name of the workspace that owns the app. Null if no workspace owns the app, such as for a
     * self-registered app.
     */
    workspaceName: string | null
    verified: boolean
  }
  /**
   * The workspace with the identity provider. `note` is set if the workspace does not allow the app or limits
   * the app's role.
   */
  workspace: { id: string; name: string; note?: string }
}

/** The maximum number of apps that `listSsoManagedApps` returns. */
const most = 100

const findUses = statement<{ id: string }, [userId: string, limit: number]>(
  'sso-managed-apps',
  `SELECT mu.id FROM ${currentManagedAccess} JOIN managed_uses mu ON mu.managed_app_id = m.id AND mu.user_id = u.id
    WHERE mu.user_id = $1::uuid ORDER BY mu.last_used_at DESC, mu.id LIMIT $2`,
)

/**
 * Returns up to 100 SSO-managed apps of the actor's user, with the most recently used app first. An app is
 * listed for each workspace in which it obtained a token for the user and in which the app and the user still
 * meet the conditions in `currentManagedAccess`. See ADR 0024.
 * @throws the errors of `authorizeAccount`
 */
export async function listSsoManagedApps(actor: Actor): Promise<SsoManagedApp[]> {
  authorizeAccount(actor)
  const { userId } = actor
  const found = await findUses(userId, most)
  const uses = await prisma().managedUse.findMany({
    where: { id: { in: found.map(({ id }) => id) } },
    include: {
      managedApp: {
        include: {
          workspace: { select: { name: true } },
          client: { include: { workspace: { select: { name: true } } } },
        },
      },
    },
    orderBy: [{ lastUsedAt: 'desc' }, { id: 'asc' }],
  })
  const judged = uses.map(({ managedApp: { client } }) => ({
    clientId: client.id,
    workspaceId: client.workspaceId,
  }))
  const admits = await loadAdmissions(prisma(), judged, [
    ...new Set(uses.map(({ managedApp }) => managedApp.workspaceId)),
  ])
  return uses.map(({ id, createdAt: since, lastUsedAt, managedApp }) => {
    const { workspaceId, workspace, client } = managedApp
    const scopes = limitScopes(managedApp.scopes, allowedTo(client.id, client.allowedScopes))
    const admission = admits({ clientId: client.id, workspaceId: client.workspaceId }, workspaceId)
    const note = workspaceNote(admission, scopes)?.text
    return {
      id,
      scopes,
      since,
      lastUsedAt,
      app: {
        id: client.id,
        name: client.name,
        logoUrl: client.logoUrl,
        workspaceName: client.workspace?.name ?? null,
        verified: client.verifiedAt !== null,
      },
      workspace: { id: workspaceId, name: workspace.name, ...(note && { note }) },
    }
  })
}
