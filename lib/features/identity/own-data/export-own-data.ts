import { type AttemptLimit, countAttempt } from '@/lib/base/db/attempt-limit'
import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SessionActor } from '@/lib/policy/actor'
import { ownLists } from './own-lists'

const perPerson: AttemptLimit = {
  name: 'own-data',
  points: 10,
  seconds: 3600,
  message: 'You have downloaded your data many times within an hour. Wait a while, then try again.',
}

/** Rows that are read and written at a time. */
const portion = 500

/**
 * What is kept of a person, as JSON, written while it is read: however much it is, no more than a page of it is in memory. Nothing in it
 * opens anything. Beginning is counted, and recorded, and told to nobody else.
 * @returns the file; its text throws AppError RATE_LIMITED
 */
export const exportOwnData = (actor: SessionActor) => ({
  fileName: 'my-data.json',
  mediaType: 'application/json',
  text: write(actor),
})

async function* write(actor: SessionActor): AsyncGenerator<string> {
  const { userId } = actor
  await countAttempt(perPerson, userId)
  await recordEvent(prisma(), actor, {
    action: 'person.data_exported',
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
