import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { makeApiToken, makeUser } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

const api = serveGraphQL()

it('the server keeps working after an aborted request and an oversized request that it rejects during the upload', async () => {
  const { hostname, port, pathname } = new URL(api.url())
  const send = (body: string, length: number) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
        )
        if (body.length < length && body.length < 1000) socket.destroy()
      })
      socket.on('error', () => {})
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk
        socket.destroy()
      })
      socket.on('close', () => resolve(answer))
    })
  await send('{"query":', 100)
  // The client receives an error even while it is still sending.
  expect(await send('x'.repeat(6_000_000), 50_000_000)).toMatch(/^HTTP\/1\.1 400 .*BAD_REQUEST/s)
  const { token } = await makeApiToken(await makeUser())
  expect((await api.execute(token, '{ me { id } }')).status).toBe(200)
})
