import { z } from 'zod'
import { databaseNow } from '@/lib/base/db/clock'
import { type AttemptLimit, countAttempt, requireBelowLimit } from '@/lib/base/db/limits'
import { type CountedSlice, inOrderOf, pageOfAll, type TextPage } from '@/lib/base/db/paging'
import { type Db, isId, prisma } from '@/lib/base/db/prisma'
import { badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { lockApp, type OAuthApp, requireApp } from '@/lib/features/apps/require-app'
import { recordInBoth } from '@/lib/features/audit/record-event'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { bindApproval } from '@/lib/policy/approvals'
import { requireUser } from '@/lib/policy/authorize'
import { requireWorkspace } from '@/lib/policy/require'

/** The number of days after the request during which a transfer can be accepted. */
export const transferDays = 7

/**
 * The maximum number of open transfers to one workspace. Without a limit, other workspaces could flood the
 * workspace's list of transfers.
 */
const mostTransfers = 20

/**
 * The limit on each user's transfer requests. There is a limit because each successful request notifies and
 * emails the admins of another workspace.
 */
const perUser: AttemptLimit = {
  name: 'request-transfer',
  points: 20,
  seconds: 86_400,
  message: 'You have requested too many transfers today. Try again tomorrow.',
}

const transferInput = z.object({
  workspace: z.string().trim().toLowerCase().min(1, 'Enter the slug or the ID of the workspace.'),
})

/**
 * Requests the transfer of an app to another workspace, and notifies the admins of that workspace. The app
 * does not change until one of these admins accepts the transfer. Replaces any earlier request to transfer
 * the app. Requires `workspace:manage-apps` in the app's workspace. See ADR 0021.
 * @param input `workspace`: the slug or ID of the other workspace
 * @returns the app
 * @throws AppError BAD_USER_INPUT (no such workspace, or the app's own), CONFLICT (too many open transfers to
 * the other workspace), RATE_LIMITED, NOT_FOUND, and the errors of `requireUser` and `authorizeWorkspace`
 */
export async function requestTransfer(actor: Actor, appId: string, input: unknown): Promise<OAuthApp> {
  const { workspace: named } = parseInput(transferInput, input)
  const to = await prisma().workspace.findUnique({
    where: isId(named) ? { id: named } : { slug: named },
    select: { id: true, name: true },
  })
  if (to) bindApproval(actor, { workspace: to.id })
  const app = await requireApp(actor, appId)
  requireUser(actor)
  await countAttempt(perUser, actor.userId)
  if (!to) throw badInput('workspace', 'There is no workspace with this slug or ID. Check the spelling.')
  if (to.id === app.workspaceId)
    throw badInput('workspace', 'The app already belongs to this workspace. Enter another workspace.')
  const terms = {
    workspaceId: to.id,
    requestedById: actor.userId,
    createdAt: new Date(databaseNow()),
    expiresAt: new Date(databaseNow() + transferDays * 86_400_000),
  }
  await prisma().$transaction(async (tx) => {
    const room = {
      of: { table: 'workspaces' as const, id: to.id },
      most: mostTransfers,
      message: 'That workspace has too many open transfer requests. Its admins must respond to some first.',
    }
    const others = { workspaceId: to.id, clientId: { not: appId }, expiresAt: { gt: terms.createdAt } }
    await requireBelowLimit(tx, room, () => tx.appTransfer.count({ where: others }))
    await lockApp(tx, actor, app)
    await tx.appTransfer.upsert({
      where: { clientId: appId },
      create: { clientId: appId, ...terms },
      update: terms,
    })
    const record = {
      action: 'oauth_app.transfer_requested',
      resource: { type: 'oauth_app', id: appId },
      details: { name: app.name, fromWorkspaceId: app.workspaceId, toWorkspaceId: to.id },
    }
    await recordInBoth(tx, actor, record, app.workspaceId, to.id)
  })
  return app
}

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

type Row = Prisma.AppTransferGetPayload<{ include: { client: typeof client; workspace: typeof workspace } }>

/** An app transfer as shown to both workspaces. */
export type AppTransfer = {
  /** The client ID. */
  id: string
  app: Omit<Row['client'], 'workspace' | '_count'>
  users: number
  from: { id: string; name: string }
  to: { id: string; name: string; slug: string }
  createdAt: Date
  expiresAt: Date
}

/**
 * Returns the open transfers that match a condition, oldest first. Omits expired transfers.
 * @param where the condition, for example on the apps or the receiving workspace
 */
export async function findTransfers(db: Db, where: Prisma.AppTransferWhereInput): Promise<AppTransfer[]> {
  const rows = await db.appTransfer.findMany({
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
            users: _count.authorizations,
            from,
            to,
            createdAt: row.createdAt,
            expiresAt: row.expiresAt,
          },
        ]
      : [],
  )
}

/**
 * Returns the open transfer of each app, or null for an app without an open transfer. Reads the transfers of
 * all apps together. The caller must first check `workspace:manage-apps` for each app.
 */
export async function transfersOf(clientIds: readonly string[]): Promise<(AppTransfer | null)[]> {
  const found = await findTransfers(prisma(), { clientId: { in: [...clientIds] } })
  return inOrderOf(clientIds, found, ({ id }) => id).map(([offer]) => offer ?? null)
}

/** Returns a transfer's cursor: its creation time and the app's client ID. */
export const placeOfTransfer = ({ id, createdAt }: AppTransfer): string => `${createdAt.toISOString()} ${id}`

/**
 * Returns one page of the open transfers to a workspace, oldest first.
 * @throws the errors of `requireWorkspace` for `workspace:manage-apps`
 */
export async function listTransfersTo(
  actor: Actor,
  workspaceId: string,
  page: TextPage,
): Promise<CountedSlice<AppTransfer>> {
  const { id } = await requireWorkspace(actor, 'workspace:manage-apps', workspaceId)
  return pageOfAll(await findTransfers(prisma(), { workspaceId: id }), placeOfTransfer, page)
}

/** Deletes expired transfers. */
export const forgetTransfers = () =>
  prisma().appTransfer.deleteMany({ where: { expiresAt: { lt: new Date() } } })
