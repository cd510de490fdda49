import { z } from 'zod'
import { cutPage, firstIdAt, keysetQuery, lowestId, type Page } from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import { parseInput, startBeforeEnd } from '@/lib/base/errors/input'
import { asStoredAddress } from '@/lib/base/mail/email-address'
import { type Export, type ExportFormat, prepareExport } from '@/lib/features/audit/export-events'
import { nameEvents } from '@/lib/features/audit/name-events'
import { formerNamesUnder } from '@/lib/features/audit/renamed-actions'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'

const text = z
  .string()
  .max(320)
  .regex(/^\P{C}*$/u)
  .transform((value) => value.trim())
  .default('')

/** The filter for events. All events match by default. */
const instanceEventFilter = z
  .object({
    /** The beginning of an action name, such as `user`, or the ID of a resource. */
    search: text,
    /** The user who acted: an email address or a user ID. */
    user: text,
    /** A workspace's slug or ID. */
    workspace: text,
    since: z.date().optional(),
    until: z.date().optional(),
  })
  .superRefine(startBeforeEnd)

export type InstanceEventFilter = z.input<typeof instanceEventFilter>

/**
 * Returns a filter's query condition and, separately, its time range.
 * @throws AppError BAD_USER_INPUT
 */
async function instanceEventsMatching(filter: InstanceEventFilter): Promise<{
  where: Prisma.AuditEventWhereInput
  since: Date | undefined
  until: Date | undefined
}> {
  const { search, user, workspace, since, until } = parseInput(instanceEventFilter, filter)
  const [userId, workspaceIds] = await Promise.all([findUser(user), findWorkspaces(workspace)])
  const where = {
    userId,
    workspaceId: workspaceIds && { in: workspaceIds },
    AND: search
      ? [
          {
            OR: [
              { action: { startsWith: search } },
              { action: { in: formerNamesUnder(search) } },
              { resourceId: search },
            ],
          },
        ]
      : [],
  }
  return { where, since, until }
}

/**
 * Returns one page of the events that match a filter, with their names (see `nameEvents`), latest first.
 * Includes events from all workspaces, even deleted ones, and events that do not belong to a workspace.
 * @param filter a filter as in `instanceEventFilter`
 * @throws AppError BAD_USER_INPUT, and the errors of `authorizeInstance`
 */
export async function listInstanceEvents(actor: Actor, filter: InstanceEventFilter, page: Page) {
  authorizeInstance(actor)
  const { where, since, until } = await instanceEventsMatching(filter)
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const rows = await prisma().auditEvent.findMany({
    where: {
      AND: [where, { id: bounds }, { id: { gte: since && firstIdAt(since), lt: until && firstIdAt(until) } }],
    },
    ...window,
  })
  return cutPage(page, await nameEvents(rows))
}

/**
 * Returns the user ID to filter by. An ID is returned as given, and an email address is looked up. Returns
 * undefined for an empty handle, and an unassigned ID if no user has the email address.
 */
async function findUser(handle: string): Promise<string | undefined> {
  if (!handle) return undefined
  // Accept every ID, because events still contain the IDs of deleted users.
  if (isId(handle)) return handle
  const email = asStoredAddress(handle)
  return (await prisma().user.findUnique({ where: { email }, select: { id: true } }))?.id ?? lowestId
}

/**
 * Returns the workspace IDs to filter by. An ID is returned as given. A slug is looked up, also among deleted
 * workspaces.
 * @returns undefined for an empty handle, and an empty list if no workspace has the slug
 */
async function findWorkspaces(handle: string): Promise<string[] | undefined> {
  if (!handle) return undefined
  if (isId(handle)) return [handle]
  const called = { where: { slug: handle }, select: { id: true } }
  const found = await Promise.all([
    prisma().workspace.findMany(called),
    prisma().deletedWorkspace.findMany(called),
  ])
  return found.flat().map(({ id }) => id)
}

/**
 * Prepares an export of the events that match a filter, oldest first. Includes events from all workspaces,
 * even deleted ones, and events that do not belong to a workspace.
 * @param filter a filter as in `instanceEventFilter`
 * @throws AppError BAD_USER_INPUT, and the errors of `authorizeInstance`; when the text is read, RATE_LIMITED
 */
export async function exportInstanceEvents(
  actor: Actor,
  filter: InstanceEventFilter,
  format: ExportFormat,
): Promise<Export> {
  authorizeInstance(actor)
  const { where, since, until } = await instanceEventsMatching(filter)
  const { workspaceId } = where
  const wanted = { place: workspaceId === undefined ? {} : { workspaceId }, where, since, until }
  return prepareExport(actor, { name: 'installation', workspaceId: null, format, wanted })
}
