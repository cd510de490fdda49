import { likeLiteral } from '@/lib/base/db/like-literal'
import { statement } from '@/lib/base/db/statement'
import type { SessionActor } from '@/lib/policy/actor'
import { rolesWith } from '@/lib/policy/permissions'
import {
  roleInWorkspace,
  visibleWorkspace,
  type WorkspaceValues,
  workspaceValues,
} from '@/lib/policy/visible'

/** An app with what names its workspace to people. */
export type FoundApp = { id: string; name: string; workspaceName: string; workspaceSlug: string }

const find = statement<FoundApp, [...WorkspaceValues, roles: string[], patterns: string[], limit: number]>(
  'find-apps',
  `SELECT c.id, c.name, w.name AS "workspaceName", w.slug AS "workspaceSlug"
     FROM workspaces w ${roleInWorkspace()}
     JOIN oauth_clients c ON c.workspace_id = w.id AND c.source = 'SETTINGS'
    WHERE ${visibleWorkspace} AND wm.role::text = ANY ($6) AND c.name || ' ' || w.name ILIKE ALL ($7::text[])
    ORDER BY c.name, c.id LIMIT $8`,
)

/**
 * The OAuth apps that a person may manage, whatever their workspace, by name, and whose names or whose workspace's hold
 * every word. Those of workspaces that ask for a second factor are left out of a session without one.
 * @param words any texts; none for all apps
 */
export const findApps = (actor: SessionActor, words: readonly string[], limit: number): Promise<FoundApp[]> =>
  find(
    ...workspaceValues(actor),
    rolesWith('workspace:manage-apps'),
    words.map((word) => `%${likeLiteral(word)}%`),
    limit,
  )
