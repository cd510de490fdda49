import { searchLiteral } from '@/lib/base/db/like-literal'
import { type NumberedPage, type NumberedRows, readNumbered } from '@/lib/base/db/numbered-page'
import { statement } from '@/lib/base/db/statement'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'

/** An app as lists show it. */
export type AppSummary = Pick<
  OAuthClient,
  'id' | 'name' | 'type' | 'logoUrl' | 'logoDarkUrl' | 'createdAt' | 'disabledAt' | 'inDevelopment'
> & { people: number }

const find = statement<
  AppSummary & { total: number },
  [workspaceId: string, text: string, limit: number, offset: number]
>(
  'search-apps',
  `SELECT found.*, (SELECT count(*)::int FROM authorizations a WHERE a.client_id = found.id) AS people
     FROM (SELECT c.id, c.name, c.type::text AS type, c.logo_url AS "logoUrl", c.logo_dark_url AS "logoDarkUrl", c.created_at AS "createdAt",
                  c.disabled_at AS "disabledAt", c.in_development AS "inDevelopment", (count(*) OVER ())::int AS total
             FROM oauth_clients c
            WHERE c.workspace_id = $1 AND c.source = 'SETTINGS'
              AND (c.name ILIKE '%' || $2 || '%' OR c.id ILIKE $2 || '%')
            ORDER BY c.name COLLATE natural_order, c.id LIMIT $3 OFFSET $4) found
    ORDER BY found.name COLLATE natural_order, found.id`,
)

/**
 * One page of the OAuth apps of a workspace whose names hold a text, or whose client IDs begin with it, in natural order.
 * Those that registered themselves belong to no workspace and are not among them.
 * @param text anything; empty for all of them
 * @throws AppError as `authorizeWorkspace` for `workspace:manage-apps`
 */
export async function searchApps(
  actor: Actor,
  workspaceId: string,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<AppSummary>> {
  const workspace = await requireWorkspace(actor, 'workspace:manage-apps', workspaceId)
  const literal = searchLiteral(text)
  return readNumbered(page, (limit, offset) => find(workspace.id, literal, limit, offset))
}
