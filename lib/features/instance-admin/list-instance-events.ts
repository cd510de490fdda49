import { z } from 'zod'
import { cutPage, firstIdAt, keysetQuery, lowestId, type Page } from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import { beginsBeforeItEnds, parseInput } from '@/lib/base/errors/input'
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

/** Which events to read; all of them where nothing is said. */
const instanceEventFilter = z
  .object({
    /** The beginning of an action such as `person`, or the id of a resource. */
    search: text,
    /** Who did it: an e-mail address or a person's id. */
    person: text,
    /** The workspace it was in: its address or id. */
    workspace: text,
    since: z.date().optional(),
    until: z.date().optional(),
  })
  .superRefine(beginsBeforeItEnds)

export type InstanceEventFilter = z.input<typeof instanceEventFilter>

/**
 * The condition that a filter stands for, apart from the time.
 * @throws AppError BAD_USER_INPUT
 */
async function instanceEventsMatching(filter: InstanceEventFilter): Promise<{
  where: Prisma.AuditEventWhereInput
  since: Date | undefined
  until: Date | undefined
}> {
  const { search, person, workspace, since, until } = parseInput(instanceEventFilter, filter)
  const [userId, workspaceIds] = await Promise.all([findPerson(person), findWorkspaces(workspace)])
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
 * One page of everything recorded, in every workspace, those that are gone included, and beside them, the latest first,
 * in words (see `nameEvents`).
 * @param filter see `instanceEventFilter`
 * @throws AppError BAD_USER_INPUT, and FORBIDDEN for anyone but the instance admin
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

/** @returns undefined when nobody is named, nobody's id when nobody is called so */
async function findPerson(handle: string): Promise<string | undefined> {
  if (!handle) return undefined
  // Somebody who is gone is still named in what they did.
  if (isId(handle)) return handle
  const email = asStoredAddress(handle)
  return (await prisma().user.findUnique({ where: { email }, select: { id: true } }))?.id ?? lowestId
}

/** An address may have been another workspace's before. @returns undefined when none is named */
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
 * Exports everything recorded, in every workspace, those that are gone included, and beside them, the oldest event first.
 * @param filter see `instanceEventFilter`
 * @throws AppError BAD_USER_INPUT, and FORBIDDEN for anyone but the instance admin; its text RATE_LIMITED
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
