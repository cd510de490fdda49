import { createServer } from 'node:net'
import os from 'node:os'
import { afterEach, expect, it } from 'vitest'
import { testPort } from '@/lib/testing/free-port'
import { drain } from './drain'
import { attach, createHttpServer } from './http-server'
import { listen } from './listen'

const started: ReturnType<typeof createHttpServer>[] = []
afterEach(() => Promise.all(started.splice(0).map((server) => drain(server))))

async function start(host?: string): Promise<number> {
  const port = await testPort()
  const server = createHttpServer()
  attach(server, (_req, res) => void res.setHeader('connection', 'close').end('here'))
  started.push(server)
  await listen(server, port, host)
  return port
}

const answers = (address: string, port: number): Promise<boolean> =>
  fetch(`http://${address.includes(':') ? `[${address}]` : address}:${port}/`).then(
    async (answer) => (await answer.text()) === 'here',
    () => false,
  )

const own = Object.values(os.networkInterfaces()).flat()
const outward = own.find((each) => each && !each.internal && each.family === 'IPv4')?.address
const hasIPv6 = own.some((each) => each?.address === '::1')

it.each([undefined, 'localhost'])('m16: listens on this machine alone where HOST is %s', async (host) => {
  const port = await start(host)
  expect(await answers('127.0.0.1', port)).toBe(true)
  expect(await answers('::1', port)).toBe(hasIPv6)
  if (outward) expect(await answers(outward, port)).toBe(false)
})

it.each(['0.0.0.0', '::'])('listens on every address where HOST is %s', async (host) => {
  const port = await start(host)
  expect(await answers('127.0.0.1', port)).toBe(true)
  if (outward) expect(await answers(outward, port)).toBe(true)
})

it.runIf(hasIPv6)(
  'does not share its port with another program that a browser would reach as localhost',
  async () => {
    const port = await testPort()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(port, '::1', resolve))
    const server = createHttpServer()
    attach(server, (_req, res) => void res.end())
    started.push(server)
    await expect(listen(server, port)).rejects.toThrow(`Port ${port} cannot be opened (EADDRINUSE)`)
    other.close()
  },
)
