import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { sendRaw } from '@/lib/testing/raw-request'
import { redirectPostToGet } from './handler'

const server = http.createServer((req, res) => redirectPostToGet(req, res, '/oauth/auth')).listen(0)
await once(server, 'listening')
const base = `http://localhost:${(server.address() as AddressInfo).port}`
afterAll(() => server.close())

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const chunked = { 'transfer-encoding': 'chunked' }

const post = (body: string, headers: Record<string, string> = form) =>
  sendRaw(base, { method: 'POST', path: '/', headers, body, pieces: 3 })

it.each([{}, chunked])(
  'with extra headers %j, redirectPostToGet puts the form into the query of its redirect',
  async (how) => {
    const { status, headers } = await post('a=1&b=%0d%0aX', { ...form, ...how })
    expect([status, headers.location]).toEqual([303, '/oauth/auth?a=1&b=%0D%0AX'])
  },
)

it.each([{}, chunked])(
  'with extra headers %j, redirectPostToGet rejects a form that is too long',
  async (how) => {
    const { status, headers, body } = await post(`a=${'x'.repeat(17_000)}`, { ...form, ...how })
    expect([status, headers.connection]).toEqual([413, 'close'])
    expect(JSON.parse(body)).toEqual({
      error: 'invalid_request',
      error_description: 'the form must not exceed 16384 bytes',
    })
  },
)

it('redirectPostToGet rejects a JSON body', async () => {
  const { status, body } = await post('{}', { 'content-type': 'application/json' })
  expect([status, JSON.parse(body).error]).toEqual([400, 'invalid_request'])
})
