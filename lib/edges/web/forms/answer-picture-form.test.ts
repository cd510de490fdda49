import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { isAppError } from '@/lib/base/errors/app-error'
import { readUpload } from './answer-picture-form'

it('an interrupted upload is reported as an input error, not as an outage', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const refused = new Promise((resolve) =>
    server.once('request', (req) => {
      const body = Readable.toWeb(req) as ReadableStream
      readUpload(new Request('http://x/', { method: 'POST', body, duplex: 'half' } as RequestInit)).catch(
        resolve,
      )
      sender.destroy()
    }),
  )
  const sender = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sender.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf')
  expect(isAppError(await refused) && (await refused)).toMatchObject({ code: 'BAD_USER_INPUT' })
  server.close()
})
