import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { drain } from './drain'
import { attach, createHttpServer } from './http-server'
import { listen } from './listen'

const dialled: Socket[] = []
afterEach(() => {
  for (const socket of dialled.splice(0)) socket.destroy()
})

/** A server whose answers are given when the test says so. */
async function start() {
  const server = createHttpServer()
  const waiting: ServerResponse[] = []
  let noticed = () => {}
  attach(server, (_req, res) => {
    waiting.push(res)
    noticed()
  })
  await listen(server, 0, '127.0.0.1')
  const dial = (): Socket => {
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
    dialled.push(socket)
    return socket
  }
  const nextRequest = () =>
    new Promise<void>((resolve) => {
      noticed = resolve
    })
  return { server, waiting, dial, nextRequest }
}

const get = 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n'

const everything = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.once('close', () => resolve(text))
  })

it('lets a request under way finish, and says that its connection ends', async () => {
  const { server, waiting, dial, nextRequest } = await start()
  const socket = dial()
  const came = nextRequest()
  socket.write(get)
  await came
  const answer = everything(socket)
  const ended = drain(server)
  waiting[0]?.end('done')
  await ended
  expect(await answer).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n.*done$/is)
})

it('lets an answer that has begun finish as well', async () => {
  const { server, waiting, dial, nextRequest } = await start()
  const socket = dial()
  const came = nextRequest()
  socket.write(get)
  await came
  waiting[0]?.write('the beginning, ')
  const answer = everything(socket)
  const ended = drain(server)
  waiting[0]?.end('the end')
  await ended
  expect(await answer).toMatch(/the beginning, .*the end/s)
})

it('goes on answering for a moment, every answer with the word that the connection ends', async () => {
  const { server, waiting, dial, nextRequest } = await start()
  const ended = drain(server, { noticeMs: 1_500 })
  const socket = dial()
  const came = nextRequest()
  socket.write(get)
  await came
  const answer = everything(socket)
  waiting[0]?.end('done')
  expect(await answer).toMatch(/\r\nconnection: close\r\n.*done$/is)
  await ended
})

it('answers whoever the system has connected already, however many wait their turn', async () => {
  const { server, waiting, dial } = await start()
  const clients = Array.from({ length: 40 }, dial)
  const answers = clients.map(everything)
  for (const client of clients) client.write(get)
  await Promise.all(clients.map((client) => once(client, 'connect')))
  const ended = drain(server)
  await expect.poll(() => waiting.length).toBe(40)
  for (const answer of waiting) answer.end('done')
  await ended
  expect((await Promise.all(answers)).filter((text) => !text.endsWith('done'))).toEqual([])
})

it('waits neither for a connection that has asked nothing nor for one that asks nothing more', async () => {
  const { server, waiting, dial, nextRequest } = await start()
  const silent = everything(dial())
  const idle = dial()
  const came = nextRequest()
  idle.write(get)
  await came
  const answered = new Promise((resolve) => idle.once('data', resolve))
  waiting[0]?.end('done')
  await answered
  await drain(server, { atMostMs: 60_000 })
  expect(await silent).toBe('')
})

it('ends whatever a client leaves open: half a request, an answer that never comes', async () => {
  const { server, dial, nextRequest } = await start()
  const half = dial()
  half.write('POST /login HTTP/1.1\r\nContent-Le')
  const came = nextRequest()
  const hanging = dial()
  hanging.write(get)
  await came
  const closed = [everything(half), everything(hanging)]
  await drain(server, { atMostMs: 100 })
  expect(await Promise.all(closed)).toEqual(['', ''])
})
