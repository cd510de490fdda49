import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import { expect, it, vi } from 'vitest'
import { config, resetConfig } from '@/lib/base/config/env'
import { sendMail } from '@/lib/base/mail/send-mail'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { settleBackgroundWork } from '@/lib/base/process/background'
import { makeLogoutToken } from '@/lib/edges/oauth/engine/provider'
import { answerSignInForm } from '@/lib/edges/web/sign-in/answer-sign-in-forms'
import { callTool } from '@/lib/testing/call-tool'
import { testPassword } from '@/lib/testing/factories'
import { documentedMetrics, files, metricsIn, unknownMetrics } from '@/lib/testing/metric-names'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import { authorize, refresh, userinfo } from '@/lib/testing/oauth-flow'
import { sendRaw } from '@/lib/testing/raw-request'
import type { Sample } from '@/lib/testing/telemetry'
import { startTelemetryWorld } from '@/lib/testing/telemetry-world'
import { startOutsideServer } from '@/lib/testing/tls-server'
import { startJobs } from './jobs'

const { observed, server, owner, web, cli, access, known, askGraphQL, expectNothingPrivate } =
  await startTelemetryWorld()

const read = (file: string) => fs.readFileSync(file, 'utf8')

const find = (samples: Sample[], name: string, labels: Record<string, string> = {}) =>
  samples.find(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )?.value

const signIn = (password: string) =>
  answerSignInForm(
    new Request(`${config().BASE_URL}/login/submit`, {
      method: 'POST',
      headers: { origin: config().BASE_URL, 'user-agent': String(known.agent) },
      body: new URLSearchParams({ email: owner.user.email, password }),
    }),
  )

it('metrics count issued tokens, sign-in attempts, and rejected requests', async () => {
  const device = await beginDevice(cli)
  Object.assign(known, { device: device.body.device_code, user: device.body.user_code })
  await pollDevice(cli, String(device.body.device_code))
  await (await userAtDevicePages(owner.user.id)).decide(String(device.body.user_code), 'authorize')
  await refresh(web, String(known.refresh))
  await refresh(web, 'lk_rt_nobody-has-this-one')
  known.code =
    (await authorize(owner.browser, web, { prompt: 'none', scope: 'openid' })).get('code') ?? 'no code'
  await userinfo(access)
  await askGraphQL('query OperationOfACaller { workspace(workspaceId: "not-there") { id } }')
  await callTool(access, 'get_project', { id: 'not-there' })
  await callTool(access, 'delete_project', { id: 'not-there' })
  await signIn(testPassword)
  for (let tries = 0; tries < 12; tries++) await signIn('a wrong password')

  const samples = await observed.samples()
  const issued = (grant: string) =>
    find(samples, 'latchkey_tokens_issued_total', { grant, app_type: 'web', app_source: 'settings' })
  expect([issued('authorization_code'), issued('refresh_token')]).toEqual([1, 1])
  const tried = (outcome: string) => find(samples, 'latchkey_sign_ins_total', { method: 'password', outcome })
  expect([tried('success'), tried('refused'), tried('limited')]).toEqual([1, 10, 2])
  expect(find(samples, 'latchkey_limits_reached_total', { limit: 'signin-pause' })).toBe(2)
  const refused = (edge: string, code: string) => find(samples, 'latchkey_refusals_total', { edge, code })
  expect(refused('web', 'UNAUTHENTICATED')).toBe(10)
  expect(refused('oauth', 'invalid_grant')).toBe(1)
  expect(refused('oauth', 'authorization_pending')).toBeUndefined()
  expect(refused('graphql', 'NOT_FOUND')).toBe(1)
  // An agent's rejected request is counted once, at the edge that received it.
  expect([refused('mcp', 'NOT_FOUND'), refused('mcp', 'INSUFFICIENT_SCOPE')]).toEqual([1, 1])
  expect(refused('graphql', 'INSUFFICIENT_SCOPE')).toBeUndefined()
  const token = { http_route: '/oauth/token', http_response_status_code: '200' }
  expect(find(samples, 'http_server_request_duration_seconds_count', token)).toBe(2)
  expect(find(samples, 'http_server_active_requests', { http_request_method: 'POST' })).toBe(0)
})

it('metrics describe the process and its connection pools', { timeout: 60_000 }, async () => {
  // The metric is cached for five seconds. At the first reading, it is 0 if the machine is too busy to answer
  // /readyz in time.
  const samples = await vi.waitFor(
    async () => {
      const read = await observed.samples()
      expect(find(read, 'latchkey_ready')).toBe(1)
      return read
    },
    { timeout: 30_000, interval: 1_000 },
  )
  const main = { db_client_connection_pool_name: 'main' }
  expect(find(samples, 'db_client_connection_max', main)).toBe(5)
  expect(find(samples, 'db_client_connection_max', { db_client_connection_pool_name: 'token' })).toBe(3)
  expect(find(samples, 'db_client_connection_pending_requests', main)).toBe(0)
  for (const name of [
    'nodejs_eventloop_delay_p99_seconds',
    'process_memory_usage_bytes',
    'process_uptime_seconds',
  ])
    expect(find(samples, name)).toBeGreaterThan(0)
})

it('metrics have a fixed set of label values, regardless of the requests', async () => {
  const odd = (path: string, method = 'GET', headers = {}, body?: string) =>
    sendRaw(server.url, { path, method, headers, ...(body === undefined ? {} : { body }) })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const json = { 'content-type': 'application/json' }
  const ask = async (n: number) => {
    await odd(`/made-up-${n}?q=${n}`)
    await odd(`/oauth/made-up-${n}`)
    await odd(`/oauth/register/client-${n}`)
    await odd(`/oauth/auth/uid-${n}`)
    await odd(`/interaction/uid-${n}`)
    await odd(`/workspaces/slug-${n}/settings`)
    await odd(`/oauth/auth?client_id=made-up-${n}&response_type=made-up-${n}`)
    await odd('/oauth/token', 'POST', form, `grant_type=made-up-${n}&client_id=made-up-${n}`)
    await odd('/oauth/token', 'POST', form, `grant_type=made-up-${n}&client_id=${cli.clientId}`)
    await odd('/oauth/register', 'POST', json, `{"redirect_uris":["made-up-${n}"]}`)
    await odd('/oauth/jwks', ['PROPFIND', 'MKCOL', 'REPORT', 'SEARCH'][n % 4])
    await odd('/graphql/v2', 'POST', json, `{"query":"{ madeUp${n} }"}`)
    await askGraphQL(`query Made${n} { a${n}: me { id } b${n}: me { name } }`)
  }
  await ask(0)
  const before = await observed.samples()
  for (let n = 1; n <= 12; n++) await ask(n)
  const after = await observed.samples()
  const requests = after.filter(({ name }) => name === 'http_server_request_duration_seconds_count')
  expect(requests.map(({ labels }) => labels.http_request_method)).toContain('_OTHER')
  const ours = (samples: Sample[]) =>
    samples
      .filter(({ name }) => /^(http|latchkey)_/.test(name))
      .map(({ name, labels }) => JSON.stringify([name, labels]))
  expect(ours(after).filter((series) => !ours(before).includes(series))).toEqual([])
})

it('metrics match the documentation, the alerts, and the dashboard', async () => {
  const outside = await startOutsideServer((_req, res) => res.end())
  await guardedFetch(outside.origin, { purpose: 'logo' })
  await outside.close()
  const refusing = net.createServer((socket) => socket.end('554 no\r\n'))
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
  process.env.SMTP_URL = `smtp://127.0.0.1:${(refusing.address() as net.AddressInfo).port}`
  resetConfig()
  sendMail('nobody@example.test', { subject: 'a mail', text: '', html: '' })
  await settleBackgroundWork()
  refusing.close()
  const boss = await startJobs(makeLogoutToken)
  await boss.send('webhook-delivery', { id: randomUUID() })

  let samples: Sample[] = []
  const measured = () => [...new Set(samples.map(({ name }) => name))]
  const awaited = ['latchkey_jobs_duration_seconds_count', 'latchkey_jobs_oldest_age_seconds']
  const look = async () => {
    samples = await observed.samples()
    expect(measured()).toEqual(expect.arrayContaining(awaited))
  }
  await vi.waitFor(look, { timeout: 45_000, interval: 500 })

  const page = documentedMetrics(read('docs/operate/metrics.md'))
  expect(unknownMetrics(measured(), page)).toEqual([])
  const labelsOf = (name: string) =>
    page.get(name) ?? page.get(name.replace(/_(bucket|count|sum)$/, '')) ?? []
  const undocumented = samples
    .filter(({ name }) => name !== 'target_info')
    .flatMap(({ name, labels }) =>
      Object.keys(labels).filter((label) => label !== 'le' && !labelsOf(name).includes(label)),
    )
  expect(undocumented).toEqual([])
  const there = new Set(['up', ...measured()])
  for (const file of files) expect(metricsIn(read(file)).filter((name) => !there.has(name))).toEqual([])
}, 60_000)

it('metrics are available only on the metrics port and path', async () => {
  expect((await server.fetch('/metrics')).status).toBe(404)
  const at = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${observed.port}${path}`, init)
  expect([(await at('/')).status, (await at('/metrics', { method: 'POST' })).status]).toEqual([404, 405])
  expect((await at('/metrics')).headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
})

it('metrics are also sent to the collector, without user data, tokens, IP or email addresses, or query text', async () => {
  await vi.waitFor(() => expect(observed.metricNames()).toContain('"name":"http.server.request.duration"'))
  await expectNothingPrivate()
})
