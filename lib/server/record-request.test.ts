import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { captureLog } from '@/lib/testing/captured-log'
import { createDispatcher, type Mounts } from './dispatch'

afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
})

const fine: Mounts['oauth'] = (_req, res) => {
  res.end('fine')
}

/** Sends requests to a server one after the other and returns their log entries. */
async function loggedOf(paths: string[], mounts: Partial<Mounts> = {}, setting?: string) {
  vi.stubEnv('ACCESS_LOG', setting)
  resetConfig()
  const log = captureLog()
  const server = createServer(
    createDispatcher({ oauth: fine, graphql: fine, mcp: fine, pages: fine, ...mounts }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answers = []
  for (const path of paths) answers.push(await fetch(`${base}${path}`).catch(() => undefined))
  await new Promise((resolve) => server.close(resolve))
  log.release()
  return { answers, entries: log.entries(), text: log.text() }
}

it('each request is logged with its route, its status, and the request ID of the response', async () => {
  const { answers, entries } = await loggedOf(['/oauth/token'])
  expect(entries).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      msg: 'a request was answered',
      requestId: answers[0]?.headers.get('x-request-id'),
      method: 'GET',
      route: '/oauth/token',
      status: 200,
      ms: expect.any(Number),
      bytes: expect.any(Number),
      client: '127.0.0.0',
    },
  ])
})

it('log entries omit paths and queries, which can contain IDs and tokens', async () => {
  const { entries, text } = await loggedOf([
    '/oauth/auth?client_id=hunter2&login_hint=hunter2',
    '/oauth/auth/hunter2',
    '/oauth/register/hunter2',
    '/oauth/hunter2',
    '/invitations/hunter2',
    '/oauth/.well-known/openid-configuration',
    '/graphql/v2?query=hunter2',
    '/%zz-hunter2',
  ])
  expect(entries.map(({ route }) => route)).toEqual([
    '/oauth/auth',
    '/oauth/auth/[id]',
    '/oauth/register/[id]',
    '/oauth/other',
    'other',
    '/oauth/.well-known/openid-configuration',
    '/graphql/v2',
    'other',
  ])
  expect(text).not.toContain('hunter2')
})

it('probes and static files are logged only at debug level', async () => {
  const { entries } = await loggedOf(['/healthz', '/readyz', '/_next/static/a.js'])
  expect(entries.map(({ level }) => level)).toEqual(['debug', 'debug', 'debug'])
})

it('the log entry for a request whose connection was lost is marked as aborted', async () => {
  const { entries } = await loggedOf(['/oauth/me'], { oauth: (_req, res) => void res.destroy() })
  expect(entries).toMatchObject([{ route: '/oauth/me', aborted: true }])
})

it('requests are not logged if the access log is disabled', async () => {
  expect((await loggedOf(['/oauth/me'], {}, '0')).entries).toEqual([])
})
