import { spawn } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { followSnippet } from '@/lib/features/docs/snippets/curl'
import { placeholders } from '@/lib/features/docs/snippets/values'
import { notify } from '@/lib/features/notifications/notify'
import type { Followed } from '@/lib/testing/event-stream'
import { makeApiToken, makeUser } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** How events reach subscribers, with and without a listening database connection. */
const api = serveGraphQL()

let user: Awaited<ReturnType<typeof makeUser>>
let token: string
let opened: Followed[] = []

beforeEach(async () => {
  user = await makeUser()
  token = (await makeApiToken(user)).token
})
afterEach(() => {
  for (const each of opened) each.close()
  opened = []
  vi.unstubAllEnvs()
  resetConfig()
})

const follow = async () => {
  const stream = await api.follow(token, 'subscription { notificationCreated { title } }')
  opened.push(stream)
  return stream
}
const heard = async (stream: Followed) => (await stream.next())?.data.data.notificationCreated.title
const tell = (title: string) =>
  notify(prisma(), [
    {
      to: user,
      type: 'MEMBER_ADDED',
      words: () => ({ title, body: '' }),
      resource: { type: 'user', id: user.id },
      path: '/',
      inApp: true,
      email: false,
    },
  ])
const listening = async () => {
  const { rows } = await pool().query(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'latchkey live' AND datname = current_database()`,
  )
  return rows.map(({ pid }) => pid as number)
}

describe('a subscription', () => {
  it('works with the example in /docs', async () => {
    const values = { ...placeholders, baseUrl: new URL(api.url()).origin, accessToken: token }
    const curl = spawn('sh', ['-c', `exec ${followSnippet(values)}`], { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      let text = ''
      curl.stdout.on('data', (chunk) => {
        text += chunk
      })
      await expect.poll(() => text).toBe(':\n\n')
      await tell('by curl')
      await expect.poll(() => text).toMatch(/event: next\ndata: .*"title":"by curl"/)
    } finally {
      curl.kill()
    }
  })

  it('receives events even without a listening connection, for example behind a connection pooler', async () => {
    await expect.poll(listening).toEqual([])
    vi.stubEnv('DATABASE_URL', `${process.env.DATABASE_URL}?pgbouncer=true`)
    resetConfig()
    const stream = await follow()
    await tell('looked for')
    expect(await heard(stream)).toBe('looked for')
    expect(await listening()).toEqual([])
  })

  // A pooler's connections keep the application names of their last clients.
  it.skipIf(process.env.TEST_POOLER)(
    'shares one listening connection with other subscriptions, which is opened again after the database drops it',
    async () => {
      await expect.poll(listening).toEqual([])
      const streams = [await follow(), await follow(), await follow()]
      await expect.poll(async () => (await listening()).length).toBe(1)
      const [pid] = await listening()
      await pool().query('SELECT pg_terminate_backend($1::int)', [pid])
      const again = async () => (await listening()).some((each) => each !== pid)
      await expect.poll(again).toBe(true)
      await tell('after the outage')
      for (const stream of streams) expect(await heard(stream)).toBe('after the outage')
      for (const stream of streams) stream.close()
      await expect.poll(listening).toEqual([])
    },
  )
})
