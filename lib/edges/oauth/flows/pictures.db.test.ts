import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { setLogo } from '@/lib/features/apps/change-logo'
import { setAvatar } from '@/lib/features/identity/people/profile'
import type { Actor } from '@/lib/policy/actor'
import { signInToApp, userinfo } from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOwner } from '@/lib/testing/oauth-world'
import { oauthEngine } from '../engine/provider'

it('tells apps the whole address of an uploaded picture, of a person and of an app', async () => {
  const server = await startOAuthServer()
  const { browser, person, makeApp } = await makeOwner()
  const app = await makeApp()
  const signIn = () => signInToApp(browser, app, { scope: 'openid profile' })
  const claims = async () => userinfo((await signIn()).body.access_token as string)
  expect((await claims()).body).not.toHaveProperty('picture')

  const actor: Actor = { kind: 'session', userId: person.id, sessionId: randomUUID(), instanceAdmin: false }
  const file = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#0a0' } })
    .jpeg()
    .toBuffer()
  await setAvatar(actor, file)
  await setLogo(actor, app.clientId, 'light', file)
  await setLogo(actor, app.clientId, 'dark', file)
  const address = new RegExp(`^${server.url}/pictures/[0-9a-f-]{36}\\.webp$`)
  expect((await claims()).body.picture).toMatch(address)
  const client = await (await oauthEngine()).provider.Client.find(app.clientId)
  expect(client?.logoUri).toMatch(address)
  const { logoUrl } = await prisma().oAuthClient.findUniqueOrThrow({ where: { id: app.clientId } })
  expect(client?.logoUri).toBe(server.url + logoUrl)
})
