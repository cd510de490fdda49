import { databaseNow } from '@/lib/base/db/clock'
import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SessionActor } from '@/lib/policy/actor'

const perUser: AttemptLimit = {
  name: 'own-data',
  points: 10,
  seconds: 3600,
  message: 'You have downloaded your data too many times within an hour. Try again later.',
}

/** The number of rows per batch. */
const portion = 500

/**
 * Returns an export of a user's data (the account and `ownLists`) as JSON, without credentials. The data is
 * streamed, so that only one batch at a time is in memory. Each export is rate-limited and audited.
 * @returns the file. Reading its text throws AppError RATE_LIMITED after too many exports.
 */
export const exportOwnData = (actor: SessionActor) => ({
  fileName: 'my-data.json',
  mediaType: 'application/json',
  text: write(actor),
})

async function* write(actor: SessionActor): AsyncGenerator<string> {
  const { userId } = actor
  await countAttempt(perUser, userId)
  await recordEvent(prisma(), actor, {
    action: 'user.data_exported',
    resource: { type: 'user', id: userId },
  })
  const account = await prisma().user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      id: true,
      name: true,
      email: true,
      emailVerifiedAt: true,
      avatarUrl: true,
      language: true,
      createdAt: true,
      updatedAt: true,
    },
  })
  yield `{\n"exportedAt": ${JSON.stringify(new Date(databaseNow()))},\n"account": ${JSON.stringify(account)}`
  for (const { name, read } of ownLists) {
    yield `,\n${JSON.stringify(name)}: [`
    let separator = '\n'
    for (let after: string | undefined; ; ) {
      const rows = await read({ userId, after, take: portion })
      if (rows.length > 0) yield separator + rows.map(({ row }) => JSON.stringify(row)).join(',\n')
      separator = ',\n'
      after = rows.at(-1)?.after
      if (rows.length < portion) break
    }
    yield '\n]'
  }
  yield '\n}\n'
}

/** An exported row and its cursor. */
type Entry = { after: string; row: unknown }
type Page = { userId: string; after: string | undefined; take: number }

/** A list in the export, which is read page by page in order of its cursors. */
type OwnList = { name: string; read: (page: Page) => Promise<Entry[]> }

const entriesOf = (rows: { id: string }[]): Entry[] => rows.map((row) => ({ after: row.id, row }))

const window = ({ userId, after, take }: Page) =>
  ({ where: { userId, id: { gt: after } }, orderBy: { id: 'asc' }, take }) as const

/**
 * The lists in the export. Each list names its columns, so that a secret that is later added to a table is
 * not exported by default.
 */
const ownLists: readonly OwnList[] = [
  {
    name: 'connectedAccounts',
    read: async ({ userId, after, take }) =>
      (
        await prisma().identity.findMany({
          where: { userId, subject: { gt: after } },
          orderBy: { subject: 'asc' },
          take,
          select: { provider: true, subject: true, createdAt: true },
        })
      ).map((row) => ({ after: row.subject, row })),
  },
  {
    name: 'signIns',
    read: async (page) =>
      entriesOf(
        await prisma().session.findMany({
          ...window(page),
          select: {
            id: true,
            methods: true,
            ip: true,
            userAgent: true,
            createdAt: true,
            lastUsedAt: true,
            expiresAt: true,
            revokedAt: true,
          },
        }),
      ),
  },
  {
    name: 'passkeys',
    read: async (page) =>
      entriesOf(
        await prisma().passkey.findMany({
          ...window(page),
          select: { id: true, name: true, synced: true, createdAt: true, lastUsedAt: true },
        }),
      ),
  },
  {
    name: 'sshKeys',
    read: async (page) =>
      entriesOf(
        await prisma().sshPublicKey.findMany({
          ...window(page),
          select: {
            id: true,
            name: true,
            publicKey: true,
            fingerprint: true,
            createdAt: true,
            lastUsedAt: true,
          },
        }),
      ),
  },
  {
    name: 'apiTokens',
    read: async (page) =>
      entriesOf(
        await prisma().apiToken.findMany({
          ...window(page),
          select: {
            id: true,
            name: true,
            kind: true,
            role: true,
            workspaceId: true,
            projectId: true,
            createdAt: true,
            expiresAt: true,
            lastUsedAt: true,
          },
        }),
      ),
  },
  {
    name: 'workspaces',
    read: async ({ userId, after, take }) =>
      (
        await prisma().workspaceMember.findMany({
          where: { userId, workspaceId: { gt: after } },
          orderBy: { workspaceId: 'asc' },
          take,
          select: {
            role: true,
            createdAt: true,
            workspace: { select: { id: true, name: true, slug: true } },
          },
        })
      ).map((row) => ({ after: row.workspace.id, row })),
  },
  {
    name: 'projects',
    read: async ({ userId, after, take }) =>
      (
        await prisma().projectMember.findMany({
          where: { userId, projectId: { gt: after } },
          orderBy: { projectId: 'asc' },
          take,
          select: { role: true, createdAt: true, project: { select: { id: true, name: true } } },
        })
      ).map((row) => ({ after: row.project.id, row })),
  },
  {
    name: 'authorizedApps',
    read: async (page) =>
      entriesOf(
        await prisma().authorization.findMany({
          ...window(page),
          select: {
            id: true,
            scopes: true,
            workspaceIds: true,
            projectIds: true,
            apiGrants: {
              select: { scopes: true, workspaceIds: true, projectIds: true, api: { select: { name: true } } },
            },
            createdAt: true,
            updatedAt: true,
            lastUsedAt: true,
            client: { select: { id: true, name: true } },
          },
        }),
      ),
  },
  {
    name: 'ssoManagedApps',
    read: async (page) =>
      entriesOf(
        await prisma().managedUse.findMany({
          ...window(page),
          select: {
            id: true,
            createdAt: true,
            lastUsedAt: true,
            managedApp: { select: { workspaceId: true, client: { select: { id: true, name: true } } } },
          },
        }),
      ),
  },
  {
    name: 'notifications',
    read: async (page) =>
      entriesOf(
        await prisma().notification.findMany({
          ...window(page),
          select: {
            id: true,
            title: true,
            body: true,
            resource: true,
            workspaceId: true,
            readAt: true,
            createdAt: true,
          },
        }),
      ),
  },
  {
    name: 'whatYouDid',
    read: async (page) =>
      entriesOf(
        await prisma().auditEvent.findMany({
          ...window(page),
          select: {
            id: true,
            action: true,
            resourceType: true,
            resourceId: true,
            workspaceId: true,
            details: true,
            ip: true,
            userAgent: true,
            createdAt: true,
          },
        }),
      ),
  },
]
