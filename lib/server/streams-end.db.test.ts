import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { beginShutdown } from '@/lib/base/process/background'
import { handleGraphQL } from '@/lib/edges/graphql/handler'
import { followStream } from '@/lib/testing/event-stream'
import { makeApiToken, makeUser } from '@/lib/testing/factories'
import { attach, drain } from './http-server'

it('a server that shuts down ends its streams without a `complete` message and opens no new streams', async () => {
  const server = createServer()
  attach(server, handleGraphQL)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql/v2`
  const { token } = await makeApiToken(await makeUser())
  const follow = () => followStream(url, token, 'subscription { notificationCreated { id } }')
  const stream = await follow()
  expect(stream.headers.get('content-type')).toMatch(/event-stream/)

  beginShutdown()
  // The server sends no `complete` message, because a client would not reconnect after one.
  expect(await stream.next()).toBeUndefined()
  const late = await follow()
  expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await late.next())?.data.errors[0].extensions.code).toBe('SERVICE_UNAVAILABLE')
  // The limit is much longer than needed. A stream that the server does not end would stay open until this
  // limit.
  await drain(server, { atMostMs: 600_000 })
})
