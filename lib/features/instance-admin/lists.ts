import { cutPage, keysetQuery, likeLiteral, type Page } from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { liveSessions } from '@/lib/features/identity/sessions/find-live-session'
import type { ClientSource } from '@/lib/generated/prisma/enums'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'

/**
 * Trims a text, and returns a case-insensitive Prisma filter for columns that contain the text. Escapes `%`
 * and `_`, because Prisma passes them to LIKE as wildcards.
 * @returns undefined if the text is empty
 */
function matchText(search: string): { contains: string; mode: 'insensitive' } | undefined {
  const text = search.trim()
  return text ? { contains: likeLiteral(text), mode: 'insensitive' } : undefined
}

/**
 * A position in the list of apps, at which a page starts or ends. The cursor contains the creation time and
 * the ID, because app IDs do not contain a time.
 */
export type AppCursor = { createdAt: Date; id: string }

/** Encodes a cursor for a URL. */
const writeAppCursor = ({ createdAt, id }: AppCursor): string =>
  Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url')

/**
 * Decodes a cursor from a URL.
 * @returns undefined for an invalid cursor
 */
function readAppCursor(text: string): AppCursor | undefined {
  const [, time, id] = /^(\d{1,15}) (\P{C}{1,2048})$/u.exec(Buffer.from(text, 'base64url').toString()) ?? []
  return time && id ? { createdAt: new Date(Number(time)), id } : undefined
}

/** The maximum number of sessions and of tokens on a user's page. */
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

const userStates = {
  active: { suspendedAt: null, emailVerifiedAt: { not: null } },
  suspended: { suspendedAt: { not: null } },
  unconfirmed: { emailVerifiedAt: null },
  admin: { instanceAdmin: true },
} as const

/** A state by which users can be filtered. */
export type UserState = keyof typeof userStates

/**
 * Returns one page of the users that match a search text and a state, newest first. Each user has the time of
 * the last activity in a browser session, or null. Also returns a function that counts all matching users.
 * @param search a part of a name or an email address; an empty text matches all users
 * @param state undefined for all users
 * @throws the errors of `authorizeInstance`
 */
export async function listUsers(actor: Actor, search: string, page: Page, state?: UserState) {
  authorizeInstance(actor)
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const like = matchText(search)
  const matching = {
    ...(state && userStates[state]),
    ...(like && { OR: [{ name: like }, { email: like }] }),
  }
  const found = await prisma().user.findMany({
    where: { ...matching, id: bounds },
    select: fields,
    ...window,
  })
  const uses = await prisma().session.groupBy({
    by: ['userId'],
    where: { userId: { in: found.map(({ id }) => id) } },
    _max: { lastUsedAt: true },
  })
  const lastUse = new Map(uses.map(({ userId, _max }) => [userId, _max.lastUsedAt]))
  const rows = found.map((user) => ({ ...user, lastActiveAt: lastUse.get(user.id) ?? null }))
  return { ...cutPage(page, rows), count: () => prisma().user.count({ where: matching }) }
}

/**
 * Returns a user's details for instance admins, such as the user's sign-in methods, active sessions,
 * workspaces, API tokens, and authorized apps. Omits IP addresses, which instance admins can find in the
 * server log.
 * @throws AppError NOT_FOUND, and the errors of `authorizeInstance`
 */
export async function getUser(actor: Actor, id: string) {
  authorizeInstance(actor)
  const user = isId(id)
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
  if (!user) throw new AppError('NOT_FOUND', 'The user was not found.')
  const { totp, passwordHash, _count: counts, workspaceMemberships, authorizations, ...rest } = user
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
 * Returns one page of the workspaces that match a search text, newest first. Also returns a function that
 * counts all matching workspaces.
 * @param search a part of a name or slug; an empty text matches all workspaces
 * @throws the errors of `authorizeInstance`
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
  /** A part of a name or client ID. */
  search: string
  source?: ClientSource | undefined
  /**
   * The state of the apps to return: disabled, verified, or waiting for an instance admin's approval. Omitted
   * for all apps.
   */
  state?: 'disabled' | 'verified' | 'waiting' | undefined
}

const size = 25

const stateOf = {
  disabled: { disabledAt: { not: null } },
  verified: { verifiedAt: { not: null } },
  waiting: { awaitingApproval: true, disabledAt: null },
}

/**
 * Returns one page of the OAuth apps that match a filter, newest first. Includes apps that registered
 * themselves.
 * @param at the cursor after or before which to read. Without a valid cursor, the first page is returned.
 * @returns the apps, the cursors of the previous and next page if they exist, and a function that counts all
 * apps that match the filter
 * @throws the errors of `authorizeInstance`
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
    apps: rows.map(({ _count, ...app }) => ({ ...app, users: _count.authorizations })),
    before: sides.hasPreviousPage && first ? writeAppCursor(first) : undefined,
    after: sides.hasNextPage && last ? writeAppCursor(last) : undefined,
    count: () => prisma().oAuthClient.count({ where: matching }),
  }
}
