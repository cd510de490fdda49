import { z } from 'zod'
import { cutPage, firstIdAt, keysetQuery, type Page } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/parse-input'
import { nameEvents } from '@/lib/features/audit/name-events'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { isId } from '@/lib/policy/require'

const text = z
  .string()
  .max(320)
  .regex(/^\P{C}*$/u)
  .transform((value) => value.trim())
  .default('')

/** Which events to read; all of them where nothing is said. */
export const instanceEventFilter = z.object({
  /** The beginning of an action such as `person`, or the id of a resource. */
  search: text,
  /** Who did it: an e-mail address or a person's id. */
  person: text,
  /** The workspace it was in: its address or id. */
  workspace: text,
  since: z.date().optional(),
  until: z.date().optional(),
})

/**
 * One page of everything recorded, in every workspace and beside them, the latest first, in words (see `nameEvents`).
 * @param filter see `instanceEventFilter`
 * @throws AppError BAD_USER_INPUT, and FORBIDDEN for anyone but the operator
 */
export async function listInstanceEvents(
  actor: Actor,
  filter: z.input<typeof instanceEventFilter>,
  page: Page,
) {
  authorizeInstance(actor)
  const { search, person, workspace, since, until } = parseInput(instanceEventFilter, filter)
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const [userId, workspaceId] = await Promise.all([findPerson(person), findWorkspace(workspace)])
  if (userId === null || workspaceId === null) return cutPage(page, [])
  const rows = await prisma().auditEvent.findMany({
    where: {
      userId,
      workspaceId,
      AND: [
        { id: bounds },
        { id: { gte: since && firstIdAt(since), lt: until && firstIdAt(until) } },
        search ? { OR: [{ action: { startsWith: search } }, { resourceId: search }] } : {},
      ],
    },
    include: { workspace: { select: { id: true, name: true } } },
    ...window,
  })
  return cutPage(page, await nameEvents(rows))
}

/** @returns undefined when nobody is named, null when nobody is called so */
async function findPerson(handle: string): Promise<string | null | undefined> {
  if (!handle) return undefined
  // Somebody who is gone is still named in what they did.
  if (isId(handle)) return handle
  const email = handle.toLowerCase()
  return (await prisma().user.findUnique({ where: { email }, select: { id: true } }))?.id ?? null
}

async function findWorkspace(handle: string): Promise<string | null | undefined> {
  if (!handle) return undefined
  if (isId(handle)) return handle
  return (await prisma().workspace.findUnique({ where: { slug: handle }, select: { id: true } }))?.id ?? null
}
