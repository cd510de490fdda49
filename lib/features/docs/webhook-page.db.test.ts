import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { createProject } from '@/lib/features/projects/create-project'
import { mintSigningSecret, signPayload } from '@/lib/features/webhooks/deliver'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { testPort } from '@/lib/testing/free-port'
import { webhookMessageSnippet, webhookReceiverSnippet } from './snippets/integrations'

/** These tests check that /docs/webhooks shows real messages and a receiver that accepts them. */
const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-receiver-'))
const ended: (() => void)[] = []
afterAll(() => {
  for (const end of ended) end()
  rmSync(folder, { recursive: true, force: true })
})

const shapeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]))
    : value === null
      ? null
      : typeof value

describe('the page about webhooks', () => {
  it('shows an example message that matches a real message', async () => {
    const user = await makeUser()
    const workspace = await makeWorkspace([[user, 'ADMIN']])
    const webhook = await prisma().webhook.create({
      data: {
        workspaceId: workspace.id,
        url: 'https://receiver.example/',
        events: ['project.*'],
        sealedSecret: new Uint8Array(40),
      },
    })
    const actor = { kind: 'session' as const, userId: user.id, sessionId: 's', instanceAdmin: false }
    await createProject(actor, { workspaceId: workspace.id, name: 'Website' })
    const { payload } = await prisma().webhookDelivery.findFirstOrThrow({ where: { webhookId: webhook.id } })
    expect(shapeOf(payload)).toEqual(shapeOf(JSON.parse(webhookMessageSnippet())))
  })

  it('shows a receiver that accepts only signed messages', async () => {
    symlinkSync(path.join(process.cwd(), 'node_modules'), path.join(folder, 'node_modules'), 'junction')
    writeFileSync(path.join(folder, 'receiver.mjs'), webhookReceiverSnippet())
    const secret = mintSigningSecret()
    const port = await testPort()
    const receiver = spawn(process.execPath, ['receiver.mjs'], {
      cwd: folder,
      env: { NODE_ENV: 'test', PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(port) },
    })
    ended.push(() => receiver.kill())
    const body = webhookMessageSnippet()
    const post = async (secrets: string[], at = new Date()) =>
      (
        await fetch(`http://127.0.0.1:${port}/`, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', ...signPayload(secrets, { id: 'evt_1', body, at }) },
        })
      ).status
    await expect.poll(() => post([secret]).catch(() => 0)).toBe(204)
    expect(await post([mintSigningSecret()])).toBe(400)
    expect(await post([mintSigningSecret(), secret])).toBe(204)
    expect(await post([secret], new Date(Date.now() - 10 * 60_000))).toBe(400)
  })
})
