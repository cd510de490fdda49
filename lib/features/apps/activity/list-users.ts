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

/** Somebody who let an app in. Its admins see of them what the app itself may read. See ADR 0028. */
export type AppUser = {
  /** The id of the authorization. */
  id: string
  /** The person's id: the `sub` that the app knows them by. */
  userId: string
  /** Known where they allow `profile`, or are in the app's own workspace. */
  name: string | null
  /** Known where they allow `email`, or are in the app's own workspace. */
  email: string | null
  avatarUrl: string | null
  scopes: string[]
  since: Date
  lastUsedAt: Date | null
}

/**
 * One page of the people who let an app in, the latest in front.
 * @param search a part of a name or email address that is shown, or a person's id; empty for everybody
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace` for `workspace:manage-apps`
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
    ...cutPage(page, rows.map(toPerson(app))),
    count: () => prisma().authorization.count({ where }),
  }
}

/** The same by numbered pages. @throws as `pageUsers` */
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
    return rows.map((row) => ({ ...toPerson(app)(row), total }))
  })
}

const wanted = (app: OAuthApp, search: string): Prisma.AuthorizationWhereInput => ({
  clientId: app.id,
  ...(search && matching(app, search)),
})

const inWorkspace = ({ workspaceId }: OAuthApp) => ({ workspaceMemberships: { some: { workspaceId } } })

/** Only what is shown is searched, so that a search tells nothing more. */
function matching(app: OAuthApp, search: string): Prisma.AuthorizationWhereInput {
  const part = { contains: likeLiteral(search), mode: 'insensitive' as const }
  const told = requestableScopes(['profile', 'email'] as const, app.allowedScopes)
  return {
    OR: [
      ...(isId(search) ? [{ userId: search }] : []),
      ...told.map((scope) => ({
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

const toPerson =
  ({ allowedScopes }: OAuthApp) =>
  ({ user, createdAt, ...row }: Row): AppUser => {
    const scopes = limitScopes(row.scopes, allowedScopes)
    return { ...row, scopes, since: createdAt, ...knownOfUser(user, scopes) }
  }

/** A person as they are stored, with their role in the app's own workspace where they have one. */
type Stored = {
  name: string
  email: string
  avatarUrl: string | null
  workspaceMemberships: readonly unknown[]
}

/**
 * What an app's admins are told of a person: what the app itself may read by their scopes; of people in its own workspace, all
 * of it. See ADR 0028.
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

/** The columns that `knownOfUser` takes. @param workspaceId of the app */
export const knownColumns = (workspaceId: string) =>
  ({
    name: true,
    email: true,
    avatarUrl: true,
    workspaceMemberships: { where: { workspaceId }, select: { role: true } },
  }) as const
