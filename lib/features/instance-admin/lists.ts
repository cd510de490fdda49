import { cutPage, keysetQuery, likeLiteral, type Page } from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { liveSessions } from '@/lib/features/identity/sessions/find-live-session'
import type { ClientSource } from '@/lib/generated/prisma/enums'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'

/**
 * A Prisma filter for "holds this text, whatever its case". Prisma hands `%` and `_` to LIKE as wildcards; here they stand
 * for themselves.
 * @returns undefined for an empty search
 */
function matchText(search: string): { contains: string; mode: 'insensitive' } | undefined {
  const text = search.trim()
  return text ? { contains: likeLiteral(text), mode: 'insensitive' } : undefined
}

/** Where a page of apps begins: app ids are no times, so the time goes with the id. */
export type AppCursor = { createdAt: Date; id: string }

/** A cursor as an address carries it. */
const writeAppCursor = ({ createdAt, id }: AppCursor): string =>
  Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url')

/** @returns undefined for what is no cursor */
function readAppCursor(text: string): AppCursor | undefined {
  const [, time, id] = /^(\d{1,15}) (\P{C}{1,2048})$/u.exec(Buffer.from(text, 'base64url').toString()) ?? []
  return time && id ? { createdAt: new Date(Number(time)), id } : undefined
}

/** As many sessions and tokens as fit on their page. */
const few = 20

const fields = {
  id: true,
  name: true,
  email: true,
  avatarUrl: true,
  emailVerifiedAt: true,
  suspendedAt: true,
  instanceAdmin: true,
  createdAt: true,
} as const

/**
 * One page of everybody, the newest first.
 * @param search part of a name or an e-mail address
 * @throws AppError FORBIDDEN for anyone but the instance admin
 */
export async function listPeople(actor: Actor, search: string, page: Page) {
  authorizeInstance(actor)
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const like = matchText(search)
  const matching = like ? { OR: [{ name: like }, { email: like }] } : {}
  const rows = await prisma().user.findMany({ where: { ...matching, id: bounds }, select: fields, ...window })
  return { ...cutPage(page, rows), count: () => prisma().user.count({ where: matching }) }
}

/**
 * A person as the instance admin sees them: how they sign in, where they are signed in, and what acts for them. Not the addresses that they
 * come from, which those who run the service find in the log if they need them.
 * @throws AppError FORBIDDEN, NOT_FOUND
 */
export async function getPerson(actor: Actor, id: string) {
  authorizeInstance(actor)
  const person = isId(id)
    ? await prisma().user.findUnique({
        where: { id },
        select: {
          ...fields,
          language: true,
          passwordHash: true,
          totp: { select: { confirmedAt: true } },
          identities: { select: { provider: true, createdAt: true }, orderBy: { createdAt: 'asc' } },
          sessions: {
            where: liveSessions(),
            select: { id: true, userAgent: true, methods: true, createdAt: true, lastUsedAt: true },
            orderBy: { lastUsedAt: 'desc' },
            take: few,
          },
          apiTokens: {
            select: { id: true, name: true, kind: true, lastUsedAt: true, createdAt: true },
            orderBy: { id: 'desc' },
            take: few,
          },
          workspaceMemberships: {
            select: { role: true, workspace: { select: { id: true, name: true, slug: true } } },
            orderBy: { workspace: { name: 'asc' } },
            take: 100,
          },
          authorizations: {
            select: {
              id: true,
              createdAt: true,
              lastUsedAt: true,
              client: {
                select: { id: true, name: true, logoUrl: true, logoDarkUrl: true, disabledAt: true },
              },
            },
            orderBy: { id: 'desc' },
            take: 100,
          },
          _count: {
            select: {
              sessions: { where: liveSessions() },
              apiTokens: true,
              authorizations: true,
              passkeys: true,
            },
          },
        },
      })
    : null
  if (!person) throw new AppError('NOT_FOUND', 'There is no such user.')
  const { totp, passwordHash, _count: counts, workspaceMemberships, authorizations, ...rest } = person
  return {
    ...rest,
    counts,
    apps: authorizations,
    password: passwordHash !== null,
    totp: totp?.confirmedAt != null,
    workspaces: workspaceMemberships.map(({ role, workspace }) => ({ ...workspace, role })),
  }
}

/**
 * One page of all workspaces, the newest first.
 * @param search part of a name or slug
 * @throws AppError FORBIDDEN for anyone but the instance admin
 */
export async function listAllWorkspaces(actor: Actor, search: string, page: Page) {
  authorizeInstance(actor)
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const like = matchText(search)
  const matching = like ? { OR: [{ name: like }, { slug: like }] } : {}
  const rows = await prisma().workspace.findMany({
    where: { ...matching, id: bounds },
    select: {
      id: true,
      name: true,
      slug: true,
      requireTwoFactor: true,
      createdAt: true,
      _count: { select: { members: true, projects: true, clients: true } },
    },
    ...window,
  })
  return { ...cutPage(page, rows), count: () => prisma().workspace.count({ where: matching }) }
}

export type AppFilter = {
  /** Part of a name or client id. */
  search: string
  source?: ClientSource | undefined
  /** Only apps that are disabled, or only verified ones, or only those that wait for an instance admin. */
  state?: 'disabled' | 'verified' | 'waiting' | undefined
}

const size = 25

const stateOf = {
  disabled: { disabledAt: { not: null } },
  verified: { verifiedAt: { not: null } },
  waiting: { awaitingApproval: true, disabledAt: null },
}

/**
 * One page of the instance's OAuth apps, the newest first, self-registered ones included.
 * @param at a cursor that an earlier page gave, and the side of it to read; what is no cursor is the first page
 * @returns the apps, the cursors of the pages beside this one where there are any, and a way to count those on all pages
 * @throws AppError FORBIDDEN for anyone but the instance admin
 */
export async function listAllApps(
  actor: Actor,
  { search, source, state }: AppFilter,
  at: { after?: string | undefined; before?: string | undefined } = {},
) {
  authorizeInstance(actor)
  const from = readAppCursor(at.before ?? at.after ?? '')
  const backward = Boolean(from && at.before)
  const like = matchText(search)
  const side = backward ? 'gt' : 'lt'
  const matching = {
    source,
    ...(state ? stateOf[state] : {}),
    ...(like ? { OR: [{ name: like }, { id: like }] } : {}),
  }
  const bounds = from
    ? {
        OR: [
          { createdAt: { [side]: from.createdAt } },
          { createdAt: from.createdAt, id: { [side]: from.id } },
        ],
      }
    : {}
  const read = await prisma().oAuthClient.findMany({
    where: { AND: [matching, bounds] },
    select: {
      id: true,
      name: true,
      source: true,
      type: true,
      logoUrl: true,
      logoDarkUrl: true,
      verifiedAt: true,
      disabledAt: true,
      awaitingApproval: true,
      createdAt: true,
      workspace: { select: { id: true, name: true } },
      _count: { select: { authorizations: true } },
    },
    orderBy: backward ? [{ createdAt: 'asc' }, { id: 'asc' }] : [{ createdAt: 'desc' }, { id: 'desc' }],
    take: size + 1,
  })
  const [after, before] = backward ? [null, at.before ?? null] : [from ? (at.after ?? null) : null, null]
  const { rows, ...sides } = cutPage({ limit: size, backward, after, before }, read)
  const [first, last] = [rows[0], rows.at(-1)]
  return {
    apps: rows.map(({ _count, ...app }) => ({ ...app, people: _count.authorizations })),
    before: sides.hasPreviousPage && first ? writeAppCursor(first) : undefined,
    after: sides.hasNextPage && last ? writeAppCursor(last) : undefined,
    count: () => prisma().oAuthClient.count({ where: matching }),
  }
}
