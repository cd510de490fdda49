import { statement } from '@/lib/base/db/statement'
import type { SessionActor } from '@/lib/policy/actor'
import { type WorkspaceRow, workspaceColumns } from '@/lib/policy/require'
import { knowsWorkspace, roleInWorkspace, someWorkspaceIds, workspaceById } from '@/lib/policy/visible'

const findOpened = statement<WorkspaceRow, [userId: string, slugs: readonly string[], most: number]>(
  'list-opened-workspaces',
  `SELECT ${workspaceColumns('NULL')}
     FROM ${someWorkspaceIds('$3', '$2')} AS known ${workspaceById('known.id')} ${roleInWorkspace()}
    WHERE ${knowsWorkspace}
    ORDER BY wm.role IS NULL, w.name COLLATE natural_order, w.id`,
)

/**
 * What a console page says of workspaces, however many the person has: those of the given addresses that they can open, and
 * a few others. One statement, by name. Like `searchWorkspaces` it shows the doors of those that ask for two factors.
 * @param slugs the addresses of the one whose page is open and of those opened lately
 * @param most how many others at most
 */
export const listOpenedWorkspaces = (
  actor: SessionActor,
  slugs: readonly string[],
  most: number,
): Promise<WorkspaceRow[]> => findOpened(actor.userId, slugs, most)

const findSlugs = statement<{ id: string; slug: string }, [userId: string, ids: readonly string[]]>(
  'slugs-of-workspaces',
  `SELECT w.id, w.slug FROM unnest($2::uuid[]) AS asked(id) ${workspaceById('asked.id')} ${roleInWorkspace()}
    WHERE ${knowsWorkspace}`,
)

/** The addresses of those of several workspaces that a person can open, by id. One statement. */
export const slugsOfWorkspaces = async (
  actor: SessionActor,
  ids: readonly string[],
): Promise<Map<string, string>> =>
  new Map((await findSlugs(actor.userId, [...new Set(ids)])).map(({ id, slug }) => [id, slug]))
