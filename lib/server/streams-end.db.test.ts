import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { beginShutdown } from '@/lib/base/process/background'
import { handleGraphQL } from '@/lib/edges/graphql/handler'
import { followStream } from '@/lib/testing/event-stream'
import { makeApiToken, makeUser } from '@/lib/testing/factories'
import { attach, drain } from './http-server'

it('a server that stops ends its streams as incomplete and opens no new ones', async () => {
  const server = createServer()
  attach(server, handleGraphQL)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql/v2`
  const { token } = await makeApiToken(await makeUser())
  const follow = () => followStream(url, token, 'subscription { notificationCreated { id } }')
  const stream = await follow()
  expect(stream.headers.get('content-type')).toMatch(/event-stream/)

  beginShutdown()
  // There is no `complete` message, after which the client would not reconnect.
  expect(await stream.next()).toBeUndefined()
  const late = await follow()
  expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await late.next())?.data.errors[0].extensions.code).toBe('SERVICE_UNAVAILABLE')
  // The limit is far longer than needed. A stream that stayed open would end only at this limit.
  await drain(server, { atMostMs: 600_000 })
})
