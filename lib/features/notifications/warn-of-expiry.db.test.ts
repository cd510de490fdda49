import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { createApp } from '@/lib/features/apps/create-app'
import { addSecret } from '@/lib/features/apps/secrets'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { warnOfExpiry } from './warn-of-expiry'

const day = 86_400_000
const sessionOf = ({ id }: { id: string }) =>
  ({ kind: 'session', userId: id, sessionId: 's', instanceAdmin: false }) as const

it('the scheduled check warns each admin only once about a client secret that expires within a week', async () => {
  const [ada, grace, member] = [await makeUser(), await makeUser(), await makeUser()]
  const workspace = await makeWorkspace([
    [ada, 'ADMIN'],
    [grace, 'ADMIN'],
    [member, 'MEMBER'],
  ])
  const { app } = await createApp(sessionOf(ada), {
    workspaceId: workspace.id,
    name: 'Printer',
    type: 'WEB',
    redirectUris: 'https://printer.example/cb',
  })
  const ending = (days: number) => new Date(Date.now() + days * day)
  await addSecret(sessionOf(ada), app.id, { name: 'Blue server', expiresAt: ending(6) })
  await addSecret(sessionOf(ada), app.id, { name: 'Green server', expiresAt: ending(8) })
  await warnOfExpiry()
  await warnOfExpiry()
  const notifications = await prisma().notification.findMany({ where: { type: 'TOKEN_EXPIRING' } })
  expect(notifications.map(({ userId }) => userId).sort()).toEqual([ada.id, grace.id].sort())
  for (const { title, resource, workspaceId } of notifications) {
    expect(title).toBe('The secret “Blue server” of Printer expires soon')
    expect([resource, workspaceId]).toEqual([{ type: 'oauth_app', id: app.id }, workspace.id])
  }
})
