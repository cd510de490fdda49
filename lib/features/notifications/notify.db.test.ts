import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { NotificationType } from '@/lib/generated/prisma/enums'
import type { SessionActor } from '@/lib/policy/actor'
import { makeUser } from '@/lib/testing/factories'
import { kindOf, notify } from './notify'
import { listNotifications } from './read-notifications'

/** The notification types that every release since 2.0.0 supports. */
const knownToAll = ['APP_AUTHORIZED', 'TOKEN_REUSED', 'MEMBER_ADDED', 'TOKEN_EXPIRING']

const page = { limit: 50, backward: false, after: null, before: null }

async function world() {
  const user = await makeUser()
  const tell = (type: NotificationType) =>
    notify(prisma(), [
      {
        to: user,
        type,
        words: () => ({ title: `about ${type}`, body: '' }),
        resource: { type: 'user', id: user.id },
        path: '/',
        inApp: true,
        email: false,
      },
    ])
  const actor: SessionActor = { kind: 'session', userId: user.id, sessionId: 's', instanceAdmin: false }
  const list = async (types?: NotificationType[]) =>
    (await listNotifications(actor, { unreadOnly: false, types }, page)).rows
  return { tell, list, user }
}

it('a notification is stored with a type that earlier releases support, but is returned with its own type', async () => {
  const { tell, list } = await world()
  const kinds = Object.values(NotificationType)
  for (const kind of kinds) await tell(kind)
  const rows = await list()
  expect(rows.map(({ type }) => knownToAll.includes(type))).toEqual(kinds.map(() => true))
  expect(rows.map(kindOf).reverse()).toEqual(kinds)
  for (const kind of kinds) expect((await list([kind])).map(({ title }) => title)).toEqual([`about ${kind}`])
})

it('a notification that a later release stored is returned with the closest known type and can be filtered by it', async () => {
  const { tell, list, user } = await world()
  await tell('MEMBER_ADDED')
  await prisma().notification.updateMany({ where: { userId: user.id }, data: { kind: 'MEMBER_PROMOTED' } })
  expect((await list()).map(kindOf)).toEqual(['MEMBER_ADDED'])
  expect([await list(['MEMBER_ADDED']), await list(['APP_REQUESTED'])]).toMatchObject([[{}], []])
})
