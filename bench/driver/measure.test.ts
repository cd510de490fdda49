import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Operation } from '../operations/operations'
import { type Load, measure } from './measure'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

const read = async (request: AsyncIterable<Buffer>) => {
  let text = ''
  for await (const chunk of request) text += chunk
  return new URLSearchParams(text)
}

/** Runs an operation against a test server. */
async function run(listener: RequestListener, operation: Operation, load: Partial<Load>) {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const client = { id: 'app', secret: 'secret' }
  const target = {
    ...{ name: 'own', base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    ...{ redirectUri: 'https://app.example.test', paths: { token: '/token', jwks: '/jwks' } },
    clients: { web: client, native: { ...client, secret: '' } },
    server: { cpu: () => 0 } as never,
  }
  return measure(target, operation, {
    ...{ requests: 100, concurrency: 4, credentials: [], databaseCpu: () => 0 },
    ...load,
  })
}

const tokens = (refresh_token: string) => JSON.stringify({ access_token: 'a', id_token: 'i', refresh_token })
const credentials = (count: number) => Array.from({ length: count }, (_, i) => ({ value: `first-${i}` }))

it('a measurement uses the newest refresh token of each session, including in the next round', async () => {
  const given = new Set(credentials(4).map(({ value }) => value))
  let replays = 0
  const own = credentials(4)
  const measured = await run(
    async (request, response) => {
      const presented = (await read(request)).get('refresh_token') ?? ''
      if (!given.delete(presented)) replays++
      const next = `${presented.slice(0, 7)}-${Math.random()}`
      given.add(next)
      response.end(tokens(next))
    },
    'refresh-native',
    { credentials: own },
  )
  expect(measured).toMatchObject({ requests: 100, failures: 0 })
  expect(replays).toBe(0)
  expect(own.map(({ value }) => value).sort()).toEqual([...given].sort())
})

it('a measurement uses each authorization code once, and stops when no codes are left', async () => {
  const seen: (string | null)[] = []
  const measured = await run(
    async (request, response) => {
      seen.push((await read(request)).get('code'))
      response.end(tokens('r'))
    },
    'code-web',
    { credentials: credentials(30) },
  )
  expect(measured).toMatchObject({ requests: 30, failures: 0 })
  expect(new Set(seen).size).toBe(30)
})

it('a measurement counts an error response as a failure and does not retry it', async () => {
  const seen: (string | null)[] = []
  const measured = await run(
    async (request, response) => {
      const code = (await read(request)).get('code')
      seen.push(code)
      if (code === 'first-7') response.statusCode = 400
      response.end(tokens('r'))
    },
    'code-web',
    { credentials: credentials(30) },
  )
  expect(measured).toMatchObject({ requests: 30, failures: 1, firstFailure: expect.stringContaining('400') })
  expect(seen.filter((code) => code === 'first-7')).toHaveLength(1)
})

it('a measurement counts a missing response as a failure and does not retry it', async () => {
  const seen: (string | null)[] = []
  const measured = await run(
    async (request, response) => {
      const code = (await read(request)).get('code')
      seen.push(code)
      if (code === 'first-7') response.destroy()
      else response.end(tokens('r'))
    },
    'code-web',
    { credentials: credentials(30) },
  )
  expect(measured.failures).toBe(1)
  expect(seen.filter((code) => code === 'first-7')).toHaveLength(1)
})

it('a measurement ends if a response contains no new refresh token', async () => {
  let answered = 0
  const measured = await run(
    (_request, response) => {
      answered++
      response.end(tokens('first-0'))
    },
    'refresh-native',
    // autocannon checks only every few milliseconds whether it must stop. Up to a hundred requests can finish
    // in between.
    { credentials: credentials(1), concurrency: 1, requests: 100_000 },
  )
  expect(measured.firstFailure).toBe('the refresh token did not rotate')
  expect(measured.failures).toBeGreaterThan(0)
  expect(answered).toBeLessThan(100_000)
})

it('a measurement checks the content of the response, not only its status', async () => {
  const measured = await run((_request, response) => response.end('{}'), 'jwks', { requests: 10 })
  expect(measured.failures).toBe(10)
})
