import {
  type CountedSlice,
  cutPage,
  keysetQuery,
  likeLiteral,
  type NumberedPage,
  type NumberedRows,
  type Page,
  readNumbered,
} from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { limitScopes, requestableScopes } from '@/lib/policy/scopes'
import { type OAuthApp, requireApp } from '../require-app'

/** A user who authorized an app, with the details that the app's admins can see (`knownOfUser`). */
export type AppUser = {
  /** The ID of the authorization. */
  id: string
  /** The user's ID, which is the `sub` claim that the app receives. */
  userId: string
  /**
   * The user's name. Null unless `scopes` includes `profile` or the user is a member of the app's workspace.
   */
  name: string | null
  /**
   * The user's email address. Null unless `scopes` includes `email` or the user is a member of the app's
   * workspace.
   */
  email: string | null
  avatarUrl: string | null
  scopes: string[]
  since: Date
  lastUsedAt: Date | null
}

/**
 * Returns one page of the users who authorized an app and match a search, latest authorization first, and a
 * function that counts all of them.
 * @param search part of a name or email address that the app's admins can see, or a complete user ID. Empty
 * for all users.
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace` for `workspace:manage-apps`
 */
export async function pageUsers(
  actor: Actor,
  clientId: string,
  search: string,
  page: Page,
): Promise<CountedSlice<AppUser>> {
  const app = await requireApp(actor, clientId)
  const where = wanted(app, search)
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const rows = await prisma().authorization.findMany({
    where: { AND: [where, { id: bounds }] },
    select: shown(app),
    ...window,
  })
  return {
    ...cutPage(page, rows.map(toUser(app))),
    count: () => prisma().authorization.count({ where }),
  }
}

/**
 * Returns a page, by its number, of the users that `pageUsers` lists, with the total number of these users.
 * @throws the errors of `pageUsers`
 */
export async function searchUsers(
  actor: Actor,
  clientId: string,
  search: string,
  page: NumberedPage,
): Promise<NumberedRows<AppUser>> {
  const app = await requireApp(actor, clientId)
  const where = wanted(app, search)
  return readNumbered(page, async (take, skip) => {
    const [total, rows] = await Promise.all([
      prisma().authorization.count({ where }),
      prisma().authorization.findMany({ where, select: shown(app), orderBy: { id: 'desc' }, skip, take }),
    ])
    return rows.map((row) => ({ ...toUser(app)(row), total }))
  })
}

const wanted = (app: OAuthApp, search: string): Prisma.AuthorizationWhereInput => ({
  clientId: app.id,
  ...(search && matching(app, search)),
})

const inWorkspace = ({ workspaceId }: OAuthApp) => ({ workspaceMemberships: { some: { workspaceId } } })

/**
 * Returns the condition for a search. Names and email addresses that the app's admins cannot see are not
 * searched, because the result would reveal them.
 */
function matching(app: OAuthApp, search: string): Prisma.AuthorizationWhereInput {
  const part = { contains: likeLiteral(search), mode: 'insensitive' as const }
  const disclosed = requestableScopes(['profile', 'email'] as const, app.allowedScopes)
  return {
    OR: [
      ...(isId(search) ? [{ userId: search }] : []),
      ...disclosed.map((scope) => ({
        scopes: { has: scope },
        user: scope === 'profile' ? { name: part } : { email: part },
      })),
      { user: { ...inWorkspace(app), OR: [{ name: part }, { email: part }] } },
    ],
  }
}

const shown = ({ workspaceId }: OAuthApp) =>
  ({
    id: true,
    userId: true,
    scopes: true,
    createdAt: true,
    lastUsedAt: true,
    user: { select: knownColumns(workspaceId) },
  }) satisfies Prisma.AuthorizationSelect

type Row = Prisma.AuthorizationGetPayload<{ select: ReturnType<typeof shown> }>

const toUser =
  ({ allowedScopes }: OAuthApp) =>
  ({ user, createdAt, ...row }: Row): AppUser => {
    const scopes = limitScopes(row.scopes, allowedScopes)
    return { ...row, scopes, since: createdAt, ...knownOfUser(user, scopes) }
  }

/**
 * A stored user, with the user's membership in the app's workspace. `workspaceMemberships` is empty if the
 * user is not a member.
 */
type Stored = {
  name: string
  email: string
  avatarUrl: string | null
  workspaceMemberships: readonly unknown[]
}

/**
 * Returns the user details that an app's admins can see: those that the app itself can read with `scopes`, or
 * all details of members of the app's workspace. The other details are null. See ADR 0022.
 */
export function knownOfUser(
  { name, email, avatarUrl, workspaceMemberships }: Stored,
  scopes: readonly string[],
): { name: string | null; email: string | null; avatarUrl: string | null } {
  const own = workspaceMemberships.length > 0
  const profile = own || scopes.includes('profile')
  return {
    name: profile ? name : null,
    email: own || scopes.includes('email') ? email : null,
    avatarUrl: profile ? avatarUrl : null,
  }
}

/**
 * Returns the columns that `knownOfUser` needs.
 * @param workspaceId the app's workspace
 */
export const knownColumns = (workspaceId: string) =>
  ({
    name: true,
    email: true,
    avatarUrl: true,
    workspaceMemberships: { where: { workspaceId }, select: { role: true } },
  }) as const
