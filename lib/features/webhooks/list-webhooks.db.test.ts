import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { createWebhook } from './change-webhook'
import { listWebhookStates } from './list-webhooks'

it('listing webhooks requires an admin and returns each webhook with its last delivery, but without its secret', async () => {
  const [admin, member] = [await makeUser(), await makeUser()]
  const workspace = await makeWorkspace([
    [admin, 'ADMIN'],
    [member, 'MEMBER'],
  ])
  const as = (userId: string): Actor => ({ kind: 'account-token', userId, tokenId: 't', role: 'ADMIN' })
  const make = async (path: string) =>
    (
      await createWebhook(as(admin.id), {
        workspaceId: workspace.id,
        url: `https://example.com/${path}`,
        events: ['project.*'],
      })
    ).webhook
  const [used, unused] = [await make('used'), await make('unused')]
  const sent = (status: 'DELIVERED' | 'FAILED', responseStatus: number) =>
    prisma().webhookDelivery.create({
      data: {
        webhookId: used.id,
        eventId: crypto.randomUUID(),
        event: 'project.created',
        payload: {},
        status,
        attempts: 1,
        responseStatus,
      },
    })
  await sent('DELIVERED', 200)
  const { createdAt } = await sent('FAILED', 500)

  const common = { events: ['project.*'], disabledAt: null }
  expect(await listWebhookStates(as(admin.id), workspace.id)).toEqual([
    {
      ...common,
      id: used.id,
      url: 'https://example.com/used',
      last: { webhookId: used.id, status: 'FAILED', attempts: 1, responseStatus: 500, createdAt },
    },
    { ...common, id: unused.id, url: 'https://example.com/unused', last: undefined },
  ])
  await expect(listWebhookStates(as(member.id), workspace.id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
