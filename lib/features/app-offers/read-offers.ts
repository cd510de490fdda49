import { inOrderOf } from '@/lib/base/db/in-order-of'
import type { CountedSlice } from '@/lib/base/db/keyset'
import { pageOfAll, type TextPage } from '@/lib/base/db/page-of-all'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'

const workspace = { select: { id: true, name: true, slug: true } } as const

const client = {
  select: {
    id: true,
    name: true,
    type: true,
    logoUrl: true,
    redirectUris: true,
    inDevelopment: true,
    verifiedAt: true,
    homepageUrl: true,
    metadata: true,
    workspace,
    _count: { select: { authorizations: true } },
  },
} as const

type Row = Prisma.AppOfferGetPayload<{ include: { client: typeof client; workspace: typeof workspace } }>

/** An offer as both sides see it: what is offered, by whom, to whom, until when. */
export type AppOffer = {
  /** The client id. */
  id: string
  app: Omit<Row['client'], 'workspace' | '_count'>
  people: number
  from: { id: string; name: string }
  to: { id: string; name: string; slug: string }
  createdAt: Date
  expiresAt: Date
}

/** Open offers, the earliest first. @param where of which apps, or to which workspaces */
export async function findOffers(db: Db, where: Prisma.AppOfferWhereInput): Promise<AppOffer[]> {
  const rows = await db.appOffer.findMany({
    where: { ...where, expiresAt: { gt: new Date(databaseNow()) } },
    orderBy: [{ createdAt: 'asc' }, { clientId: 'asc' }],
    include: { client, workspace },
  })
  return rows.flatMap(({ clientId, client: { workspace: from, _count, ...app }, workspace: to, ...row }) =>
    from
      ? [
          {
            id: clientId,
            app,
            people: _count.authorizations,
            from,
            to,
            createdAt: row.createdAt,
            expiresAt: row.expiresAt,
          },
        ]
      : [],
  )
}

/** The open offer of each of several apps. The caller has required `workspace:manage-apps` for each. One statement. */
export async function offersOf(clientIds: readonly string[]): Promise<(AppOffer | null)[]> {
  const found = await findOffers(prisma(), { clientId: { in: [...clientIds] } })
  return inOrderOf(clientIds, found, ({ id }) => id).map(([offer]) => offer ?? null)
}

/** The place of an offer in its list: when it was made, and the client id. */
export const placeOfOffer = ({ id, createdAt }: AppOffer): string => `${createdAt.toISOString()} ${id}`

/**
 * One page of the apps that are offered to a workspace, the earliest first.
 * @throws AppError as `authorizeWorkspace` for `workspace:manage-apps`
 */
export async function listOffersTo(
  actor: Actor,
  workspaceId: string,
  page: TextPage,
): Promise<CountedSlice<AppOffer>> {
  const { id } = await requireWorkspace(actor, 'workspace:manage-apps', workspaceId)
  return pageOfAll(await findOffers(prisma(), { workspaceId: id }), placeOfOffer, page)
}
