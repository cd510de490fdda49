import { once } from 'node:events'
import fs from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { isAlive, processOf } from '@/lib/base/db/embedded/file-lock.mjs'
import { makeTemporaryData, removeTemporaryData, serverFolder } from '@/lib/testing/temporary-data'
import { makeOwnProduct, type OwnProduct } from './support/own-product'
import { startProduct } from './support/servers'
import { expect, test } from './support/test'

const exitOf = (child: { once: (event: 'exit', listener: (code: number | null) => void) => unknown }) =>
  new Promise<number | null>((resolve) => child.once('exit', resolve))

test.describe('a server with its own database', () => {
  let product: OwnProduct
  test.beforeEach(async () => {
    product = await makeOwnProduct()
  })
  test.afterEach(() => product.stop())

  test('reports that it is stopping, and stops even if connections are open', async () => {
    const server = await product.start()
    const { url: base, port } = product
    const open = (bytes: string) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      if (bytes !== '') socket.write(bytes)
    }
    open('')
    open('POST /login/submit HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf')
    open('GET //x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    open('CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n')
    expect((await fetch(`${base}/readyz`)).status).toBe(200)

    const exited = exitOf(server)
    server.kill('SIGTERM')
    let answer = await fetch(`${base}/readyz`)
    while (answer.status === 200) answer = await fetch(`${base}/readyz`)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('connection')).toBe('close')
    expect(await exited).toBe(0)
  })

  test('stops only after it has answered every request that it received', async () => {
    const server = await product.start()
    const { url: base, port } = product
    // Next.js prepares a page on its first request.
    for (const path of ['/login', '/oauth/jwks']) expect((await fetch(`${base}${path}`)).status).toBe(200)
    const clients = await Promise.all(
      Array.from({ length: 60 }, (_, index) => openClient(port, index % 6 === 0 ? '/login' : '/oauth/jwks')),
    )
    const [slow, quick] = [clients.slice(0, 10), clients.slice(10)]
    for (const client of slow) await client.send(0, 20)
    await Promise.all(quick.map((client) => client.send(0)))
    const exited = exitOf(server)
    server.kill('SIGTERM')
    // Wait until the server accepts no more connections and has had time to close idle ones.
    while (await fetch(`${base}/readyz`).catch(() => undefined));
    await new Promise((done) => setTimeout(done, 500))
    await Promise.all(slow.map((client) => client.send(20)))
    const answers = await Promise.all(clients.map((client) => client.answer))
    expect(answers.map(({ status, whole }) => ({ status, whole }))).toEqual(
      answers.map(() => ({ status: '200', whole: true })),
    )
    expect(answers.slice(0, slow.length).every(({ last }) => last)).toBe(true)
    expect(await exited).toBe(0)
  })
})

test('a server that lost its database still serves its public keys and stops cleanly', async () => {
  const dataDir = makeTemporaryData()
  const database = await openEmbeddedDatabase(dataDir, { database: 'own', fast: true })
  const product = await makeOwnProduct(database.url)
  try {
    const server = await product.start()
    const { url: base } = product
    database.abandon()
    while ((await fetch(`${base}/readyz`)).status === 200) await new Promise((done) => setTimeout(done, 100))
    expect((await fetch(`${base}/oauth/jwks`)).status).toBe(200)
    const exited = exitOf(server)
    server.kill('SIGTERM')
    expect(await exited).toBe(0)
  } finally {
    await product.stop()
    await database.release()
    removeTemporaryData(dataDir)
  }
})

/** Opens a connection for a page request that the test sends in parts. */
async function openClient(port: number, page: string) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const text = `GET ${page} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`
  let got = ''
  socket.setEncoding('utf8').on('data', (piece) => {
    got += piece
  })
  const answer = once(socket, 'close').then(
    () => read(got),
    (error) => ({ status: String(error), whole: false, last: false }),
  )
  return {
    answer,
    /** Sends a part of the request. Resolves when the operating system has accepted the bytes. */
    send: (from: number, to?: number) =>
      new Promise<unknown>((resolve) => socket.write(text.slice(from, to), resolve)),
  }
}

/** Parses everything that a connection received until it was closed. */
function read(text: string) {
  const end = text.indexOf('\r\n\r\n') + 4
  const [head, body] = [text.slice(0, end), text.slice(end)]
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  return {
    status: head.split(' ')[1] ?? '',
    whole: length ? Buffer.byteLength(body) === Number(length) : body.endsWith('0\r\n\r\n'),
    last: /^connection: close/im.test(head),
  }
}

const serverOf = (dataDir: string) => {
  const file = path.join(serverFolder(dataDir), 'cluster/postmaster.pid')
  return processOf(Number(fs.readFileSync(file, 'utf8').split('\n')[0]))
}

test('npm start exits with an error message when its database is killed', async () => {
  const product = await startProduct([], 'a demo password')
  await product.ready
  process.kill(serverOf(product.dataDir).pid, 'SIGKILL')
  expect(await product.ended).toBe(1)
  expect(product.output()).toContain('The embedded PostgreSQL has ended')
  removeTemporaryData(product.dataDir)
})

test('npm start exits immediately on a second signal and stops its database', async () => {
  const product = await startProduct([], 'a demo password')
  await product.ready
  const database = serverOf(product.dataDir)
  product.child.kill('SIGTERM')
  await expect.poll(() => product.output()).toContain('Stopping')
  product.child.kill('SIGTERM')
  expect(await product.ended).toBe(1)
  await expect.poll(() => isAlive(database)).toBe(false)
  removeTemporaryData(product.dataDir)
})
