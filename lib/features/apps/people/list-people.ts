import { type CountedSlice, cutPage, keysetQuery, type Page } from '@/lib/base/db/keyset'
import { likeLiteral } from '@/lib/base/db/like-literal'
import type { NumberedPage, NumberedRows } from '@/lib/base/db/numbered-page'
import { prisma } from '@/lib/base/db/prisma'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { isId } from '@/lib/policy/require'
import { type OAuthApp, requireApp } from '../require-app'

/** Somebody who let an app in. Its admins see of them what the app itself may read. See decision 199. */
export type PersonOfApp = {
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
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace` for `workspace:manage-apps`
 */
export async function pagePeople(
  actor: Actor,
  clientId: string,
  page: Page,
): Promise<CountedSlice<PersonOfApp>> {
  const app = await requireApp(actor, clientId)
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const rows = await prisma().authorization.findMany({
    where: { clientId: app.id, id: bounds },
    select: shown(app),
    ...window,
  })
  return {
    ...cutPage(page, rows.map(toPerson)),
    count: () => prisma().authorization.count({ where: { clientId: app.id } }),
  }
}

/**
 * The same by numbered pages.
 * @param search a part of a name or email address that is shown, or a person's id; empty for everybody
 * @throws as `pagePeople`
 */
export async function searchPeople(
  actor: Actor,
  clientId: string,
  search: string,
  { number, size }: NumberedPage,
): Promise<NumberedRows<PersonOfApp>> {
  const app = await requireApp(actor, clientId)
  const where = { clientId: app.id, ...(search && matching(app, search)) }
  const total = await prisma().authorization.count({ where })
  // One page beyond the last is the first: what was on it is gone.
  const at = (number - 1) * size < total ? number : 1
  const rows = await prisma().authorization.findMany({
    where,
    select: shown(app),
    orderBy: { id: 'desc' },
    skip: (at - 1) * size,
    take: size,
  })
  return { rows: rows.map(toPerson), total, number: at, size }
}

const inWorkspace = ({ workspaceId }: OAuthApp) => ({ workspaceMemberships: { some: { workspaceId } } })

/** Only what is shown is searched, so that a search tells nothing more. */
function matching(app: OAuthApp, search: string): Prisma.AuthorizationWhereInput {
  const part = { contains: likeLiteral(search), mode: 'insensitive' as const }
  return {
    OR: [
      ...(isId(search) ? [{ userId: search }] : []),
      { scopes: { has: 'profile' }, user: { name: part } },
      { scopes: { has: 'email' }, user: { email: part } },
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
    user: {
      select: {
        name: true,
        email: true,
        avatarUrl: true,
        workspaceMemberships: { where: { workspaceId }, select: { role: true } },
      },
    },
  }) satisfies Prisma.AuthorizationSelect

type Row = Prisma.AuthorizationGetPayload<{ select: ReturnType<typeof shown> }>

function toPerson({ user, createdAt, ...row }: Row): PersonOfApp {
  const own = user.workspaceMemberships.length > 0
  const profile = own || row.scopes.includes('profile')
  return {
    ...row,
    since: createdAt,
    name: profile ? user.name : null,
    avatarUrl: profile ? user.avatarUrl : null,
    email: own || row.scopes.includes('email') ? user.email : null,
  }
}
