import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { forgetDeliveries } from './queue-deliveries'

it('all webhook deliveries that are older than 30 days are deleted, even if there are many', async () => {
  const { id: workspaceId } = await makeWorkspace([[await makeUser(), 'ADMIN']])
  const url = 'https://hooks.example.test/a'
  const { id: webhookId } = await prisma().webhook.create({
    data: { workspaceId, url, events: ['project.*'], sealedSecret: new Uint8Array(40) },
  })
  const write = (days: number, count: number) =>
    prisma().webhookDelivery.createMany({
      data: Array.from({ length: count }, () => ({
        webhookId,
        eventId: crypto.randomUUID(),
        event: 'project.created',
        payload: {},
        createdAt: new Date(Date.now() - days * 86_400_000),
      })),
    })
  await write(31, 1100)
  await write(29, 2)
  expect(await forgetDeliveries()).toBe(1100)
  expect(await prisma().webhookDelivery.count()).toBe(2)
  expect(await forgetDeliveries()).toBe(0)
})
