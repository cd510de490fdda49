import { beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { captureLog } from '@/lib/testing/captured-log'
import { makeApiToken, makeUser } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** Status codes, error codes, and headers of POST /graphql/v2 (docs/api/contract.md, section 2). */
const api = serveGraphQL()
let token = ''

beforeAll(async () => {
  token = (await makeApiToken(await makeUser())).token
})

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const accepts = [
  undefined,
  'application/json',
  'application/graphql-response+json',
  'application/graphql-response+json, application/json;q=0.9',
  '*/*',
  'text/html',
  'text/event-stream',
]

const cases: [title: string, body: unknown, status: number, code: string | undefined][] = [
  ['a valid query', { query: '{ me { id } }' }, 200, undefined],
  [
    'a query with a name',
    { query: 'query a { me { id } } query b { x: __typename }', operationName: 'b' },
    200,
    undefined,
  ],
  ['unknown keys in the body', { query: '{ me { id } }', extensions: { a: 1 }, id: 'x' }, 200, undefined],
  [
    'variables and an operationName that are null',
    { query: '{ me { id } }', variables: null, operationName: null },
    200,
    undefined,
  ],
  ['an unknown ID', { query: '{ project(id: "x") { id } }' }, 200, 'NOT_FOUND'],
  [
    'an invalid input',
    { query: '{ projects(workspaceId: "x", first: 0) { pageInfo { hasNextPage } } }' },
    200,
    'BAD_USER_INPUT',
  ],
  ['an empty body', '', 400, 'BAD_REQUEST'],
  ['broken JSON', '{"query": "{ me', 400, 'BAD_REQUEST'],
  ['JSON that is not an object', '"{ me { id } }"', 400, 'BAD_REQUEST'],
  ['the JSON value null', 'null', 400, 'BAD_REQUEST'],
  ['a batch', [{ query: '{ me { id } }' }], 400, 'BAD_REQUEST'],
  ['no query', {}, 400, 'BAD_REQUEST'],
  ['a query that is not a string', { query: 1 }, 400, 'BAD_REQUEST'],
  ['an empty query', { query: ' ' }, 400, 'BAD_REQUEST'],
  ['variables that are a list', { query: '{ me { id } }', variables: [] }, 400, 'BAD_REQUEST'],
  ['variables that are a string', { query: '{ me { id } }', variables: '{}' }, 400, 'BAD_REQUEST'],
  ['an operationName that is not a string', { query: '{ me { id } }', operationName: 1 }, 400, 'BAD_REQUEST'],
  ['an unknown operationName', { query: 'query a { me { id } }', operationName: 'b' }, 400, 'BAD_REQUEST'],
  [
    'several operations without an operationName',
    { query: 'query a { me { id } } query b { me { id } }' },
    400,
    'BAD_REQUEST',
  ],
  ['a syntax error', { query: '{ me { id }' }, 400, 'GRAPHQL_PARSE_FAILED'],
  ['an unknown field', { query: '{ me { nope } }' }, 400, 'GRAPHQL_VALIDATION_FAILED'],
  ['a missing argument', { query: '{ project { id } }' }, 400, 'GRAPHQL_VALIDATION_FAILED'],
  ['a subscription', { query: 'subscription { me { id } }' }, 400, 'GRAPHQL_VALIDATION_FAILED'],
  [
    'a missing variable',
    { query: 'query ($id: ID!) { project(id: $id) { id } }' },
    400,
    'GRAPHQL_VALIDATION_FAILED',
  ],
  [
    'a variable of the wrong type',
    { query: 'query ($id: ID!) { project(id: $id) { id } }', variables: { id: { a: 1 } } },
    400,
    'GRAPHQL_VALIDATION_FAILED',
  ],
  ['a body that is too large', { query: `{ me { id } } # ${'x'.repeat(128 * 1024)}` }, 400, 'BAD_REQUEST'],
]

describe.each(accepts)('a request with Accept: %s', (accept) => {
  it.each(cases)('gets the specified status and error code for %s', async (_title, body, status, code) => {
    const reply = await api.send(json(body, accept === undefined ? {} : { accept }))
    expect(reply.status).toBe(status)
    expect(reply.errors?.map((error) => error.extensions.code)).toEqual(code && [code])
    expect(reply.extensions.traceId).toMatch(/^[0-9a-f]{20}$/)
    expect(reply.headers.get('x-trace-id')).toBe(reply.extensions.traceId)
    for (const error of reply.errors ?? []) expect(error.extensions.traceId).toBe(reply.extensions.traceId)
    expect(reply.headers.get('content-type')).toBe(
      accept?.startsWith('application/graphql-response+json')
        ? 'application/graphql-response+json; charset=utf-8'
        : 'application/json; charset=utf-8',
    )
  })
})

describe('the endpoint /graphql/v2', () => {
  it.each([
    'text/plain',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
  ])('rejects the content type %s', async (type) => {
    const reply = await api.send(json({ query: '{ me { id } }' }, { 'content-type': type }))
    expect([reply.status, reply.errors?.[0]?.extensions.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('accepts the charset UTF-8 regardless of case and quotation marks', async () => {
    const reply = await api.send(
      json({ query: '{ me { id } }' }, { 'content-type': 'Application/JSON; Charset="UTF-8"' }),
    )
    expect(reply.status).toBe(200)
  })

  it('rejects bytes that are not UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('{"query":"{ me { id } } # '),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ])
    const reply = await api.send({ ...json({}), body })
    expect([reply.status, reply.errors?.[0]?.extensions.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])(
    'rejects %s with status 405 and lists the allowed methods',
    async (method) => {
      const reply = await api.send({ method, headers: { authorization: `Bearer ${token}` } })
      expect([reply.status, reply.errors?.[0]?.extensions.code]).toEqual([405, 'BAD_REQUEST'])
      expect(reply.headers.get('allow')).toContain('POST')
    },
  )

  it('redirects browsers to the explorer', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const reply = await fetch(api.url(), { headers, redirect: 'manual' })
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/graphql/explorer'])
  })

  it('accepts requests from pages of other origins, but does not allow browser credentials', async () => {
    const preflight = await fetch(api.url(), {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    const reply = await api.send(json({ query: '{ me { id } }' }, { origin: 'https://app.example' }))
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.headers.get('access-control-expose-headers')).toContain('x-trace-id')
  })

  it('hides the details of an unexpected error and logs them with the trace ID', async () => {
    const log = captureLog()
    await prisma().$executeRaw`ALTER TABLE workspaces RENAME TO gone`
    try {
      const reply = await api.execute(token, '{ me { workspaces { id } } }')
      expect(reply.status).toBe(200)
      expect(reply.errors).toEqual([
        expect.objectContaining({
          message: 'Something went wrong on our side. Try again later.',
          path: ['me', 'workspaces'],
          extensions: { code: 'INTERNAL_SERVER_ERROR', traceId: reply.extensions.traceId },
        }),
      ])
      expect(log.entries().filter(({ level }) => level === 'error')).toMatchObject([
        { requestId: reply.extensions.traceId, error: { code: expect.any(String) } },
      ])
    } finally {
      await prisma().$executeRaw`ALTER TABLE gone RENAME TO workspaces`
      log.release()
    }
  })
})
