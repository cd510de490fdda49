import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeLogoutToken } from '@/lib/edges/oauth/engine/provider'
import { handleOAuth } from '@/lib/edges/oauth/http/handler'
import { createProject } from '@/lib/features/projects/create-project'
import { createWebhook } from '@/lib/features/webhooks/change-webhook'
import type { Actor } from '@/lib/policy/actor'
import { captureLog } from '@/lib/testing/captured-log'
import { refresh, requestToken } from '@/lib/testing/oauth-flow'
import type { SentSpan } from '@/lib/testing/telemetry'
import { startTelemetryWorld } from '@/lib/testing/telemetry-world'
import { startOutsideServer } from '@/lib/testing/tls-server'
import { mount } from './bridge'
import { startJobs } from './jobs'

process.env.ACCESS_LOG = '1'
const { observed, server, owner, web, known, askGraphQL, expectNothingPrivate } = await startTelemetryWorld()

/** Returns a trace context, as a caller that has started a trace sends it. */
const newTrace = (flags = '01') => {
  const traceId = randomBytes(16).toString('hex')
  const spanId = randomBytes(8).toString('hex')
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } }
}

const requestOf = ({ traceId }: { traceId: string }) =>
  observed.span((span) => span.traceId === traceId && span.kind === 2)
const spansOf = ({ traceId }: { traceId: string }) =>
  observed.spans().filter((span) => span.traceId === traceId)
const childrenOf = ({ spanId }: SentSpan) => observed.spans().filter((span) => span.parentSpanId === spanId)

it('a caller’s trace continues through oidc-provider to the database statements', async () => {
  const caller = newTrace()
  const fields = { grant_type: 'refresh_token', refresh_token: String(known.refresh) }
  await requestToken(web, fields, { ...caller.headers, baggage: 'a=b' })
  const request = await requestOf(caller)
  expect(request).toMatchObject({
    name: 'POST /oauth/token',
    parentSpanId: caller.spanId,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/oauth/token',
      'http.response.status_code': 200,
    },
  })
  const [engine] = childrenOf(request).filter(({ kind }) => kind === 1) as [SentSpan]
  expect(engine).toMatchObject({
    name: 'oauth engine',
    attributes: { grant: 'refresh_token', app_type: 'web', app_source: 'settings' },
  })
  const statements = childrenOf(engine).map(({ name }) => name)
  expect(statements).toContainEqual(expect.stringMatching(/^oauth-token-commit-/))
})

it('a trace includes requests to OAuth endpoints that Next serves', async () => {
  const caller = newTrace()
  const { headers } = caller
  await mount(handleOAuth).GET(new Request(`${server.url}/oauth/jwks`, { headers }))
  const { name, attributes } = await requestOf(caller)
  expect([name, attributes['http.response.status_code'], attributes['error.type']]).toEqual([
    'GET /oauth/jwks',
    200,
    undefined,
  ])
})

it('log entries contain the trace ID', async () => {
  const caller = newTrace()
  const log = captureLog()
  await server.fetch('/oauth/jwks', { headers: caller.headers })
  await requestOf(caller)
  log.release()
  expect(log.entries()).toContainEqual(
    expect.objectContaining({ msg: 'a request was answered', trace_id: caller.traceId }),
  )
})

it('a trace contains the status of a rejected request, but no error and no events', async () => {
  const caller = newTrace()
  await requestToken(web, { grant_type: 'refresh_token', refresh_token: 'lk_rt_nobody' }, caller.headers)
  const { attributes, status } = await requestOf(caller)
  expect([attributes['http.response.status_code'], attributes['error.type'], status.code]).toEqual([
    400,
    undefined,
    0,
  ])
  expect(spansOf(caller).every(({ events }) => events.length === 0)).toBe(true)
})

it('a trace contains the type, the root fields, and the failure of a GraphQL operation', async () => {
  const caller = newTrace()
  const query =
    'query OperationOfACaller($id: ID!) { ...Root } fragment Root on Query { workspace(workspaceId: $id) { name } me { id } }'
  await askGraphQL(query, { id: known.variable }, caller.headers)
  const [operation] = childrenOf(await requestOf(caller)).filter(({ kind }) => kind === 1)
  expect(operation).toMatchObject({
    name: 'query workspace',
    attributes: {
      'graphql.operation.type': 'query',
      'graphql.fields': 'workspace me',
      'error.type': 'errors',
    },
  })
  expect(operation?.status).toEqual({ code: 2 })
})

it('a trace is not recorded if the caller opts out', async () => {
  const unwanted = newTrace('00')
  await server.fetch('/oauth/jwks', { headers: unwanted.headers })
  const wanted = newTrace()
  await server.fetch('/oauth/jwks', { headers: wanted.headers })
  await requestOf(wanted)
  expect(spansOf(unwanted)).toEqual([])
})

it('a job’s trace continues at the webhook’s receiver', async () => {
  const received: Record<string, unknown>[] = []
  const receiver = await startOutsideServer((req, res) => {
    received.push(req.headers)
    res.writeHead(500).end()
  })
  known.receiver = new URL(receiver.origin).host
  const actor: Actor = { kind: 'account-token', userId: owner.user.id, tokenId: 't', role: 'ADMIN' }
  const workspaceId = owner.workspace.id
  await createWebhook(actor, { workspaceId, url: `${receiver.origin}/hook`, events: ['project.created'] })
  await startJobs(makeLogoutToken)
  await createProject(actor, { workspaceId, name: 'Website' })
  const call = await observed.span(({ name }) => name === 'POST webhook')
  expect(call).toMatchObject({
    kind: 3,
    attributes: { purpose: 'webhook', 'http.response.status_code': 500, 'error.type': '500' },
  })
  expect(received[0]).toMatchObject({ traceparent: `00-${call.traceId}-${call.spanId}-01` })
  const job = await observed.span(({ spanId }) => spanId === call.parentSpanId)
  expect(job).toMatchObject({ name: 'job webhook-delivery', kind: 5 })
  expect(job.parentSpanId).toBeUndefined()
  await receiver.close()
}, 60_000)

it('a trace contains only its own request’s spans, even while requests wait for connections', async () => {
  const traces = Array.from({ length: 40 }, () => newTrace())
  await Promise.all(
    traces.map(({ headers }) =>
      requestToken(web, { grant_type: 'refresh_token', refresh_token: String(known.refresh) }, headers),
    ),
  )
  for (const trace of traces) await requestOf(trace)
  const engines = traces.map((trace) => spansOf(trace).filter(({ name }) => name === 'oauth engine').length)
  expect(engines).toEqual(traces.map(() => 1))
  for (const trace of traces)
    expect(spansOf(trace).filter(({ name }) => name === 'oauth-snapshot')).toHaveLength(1)
})

it('a trace contains only Latchkey’s own spans, without user data, tokens, IP or email addresses, or query text', async () => {
  await refresh(web, String(known.refresh))
  expect(observed.scopeNames()).toEqual(['latchkey'])
  await expectNothingPrivate()
})
