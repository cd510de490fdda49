import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { withConnection } from './cluster'
import { openEmbeddedDatabase } from './embedded-database'

let dataDir: string
beforeAll(() => {
  dataDir = path.join(makeTemporaryData(), 'a folder')
  fs.mkdirSync(dataDir)
})
afterAll(() => removeTemporaryData(path.dirname(dataDir)))

const open = () => openEmbeddedDatabase(dataDir, { fast: true })

const ask = (url: string, sql: string) =>
  withConnection(url, async (client) => (await client.query(sql)).rows)

const answers = (url: string) =>
  ask(url, 'SELECT 1').then(
    () => true,
    () => false,
  )

const serverPid = (dir: string) =>
  Number(fs.readFileSync(path.join(dir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0])

it('the embedded database is created once, keeps its data, and stops when the last process releases it', async () => {
  const first = await open()
  expect(first.created).toBe(true)
  await ask(first.url, "CREATE TABLE kept AS SELECT 'Ünïcode' AS word")
  await first.release()
  expect(await answers(first.url)).toBe(false)

  const second = await open()
  expect(second).toMatchObject({ created: false, dir: first.dir, relocated: first.relocated })
  expect(await ask(second.url, 'SELECT lower(word) AS word FROM kept')).toEqual([{ word: 'ünïcode' }])
  await second.release()
})

it('a lost connection to the embedded database makes the next statement fail but does not end the process', async () => {
  const database = await open()
  const lost = withConnection(database.url, async (client) => {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    await ask(database.url, `SELECT pg_terminate_backend(${rows[0].pid})`)
    await ended
    await client.query('SELECT 1')
  })
  await expect(lost).rejects.toThrow('not queryable')
  await database.release()
})

it('the embedded database keeps running for a second process after the first process releases it', async () => {
  const mine = await open()
  const users = path.join(mine.dir, 'users')
  const other = execFile(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const user = { pid: other.pid, started: '', host: (await import('node:os')).hostname() }
  fs.writeFileSync(path.join(users, String(other.pid)), JSON.stringify(user))
  await mine.release()
  expect(await answers(mine.url)).toBe(true)

  other.kill('SIGKILL')
  await new Promise((resolve) => other.once('close', resolve))
  const again = await open()
  await again.release()
  expect(await answers(again.url)).toBe(false)
  expect(fs.readdirSync(users)).toEqual([])
})

it('the embedded database starts again after its server is killed', async () => {
  const before = await open()
  process.kill(serverPid(before.dir), 'SIGKILL')
  await sleep(50)
  const after = await open()
  expect(await answers(after.url)).toBe(true)
  await after.release()
})

it('the embedded database notifies the processes that use it when its server is killed', async () => {
  const database = await open()
  const gone = new Promise<void>((resolve) => database.onGone(resolve))
  process.kill(serverPid(database.dir), 'SIGKILL')
  await gone
  expect(await answers(database.url)).toBe(false)
  await database.release()
})

it('the embedded database stops after its only process releases it without waiting', async () => {
  const database = await open()
  database.abandon()
  while (await answers(database.url)) await sleep(50)
  expect(fs.readdirSync(path.join(database.dir, 'users'))).toEqual([])
})

it('the embedded database starts even if another process has the old server’s process ID', async () => {
  const database = await open()
  await database.release()
  const file = path.join(database.dir, 'cluster/postmaster.pid')
  fs.writeFileSync(
    file,
    `${process.pid}\n${path.join(database.dir, 'cluster')}\n1\n1\n\n127.0.0.1\n\nready\n`,
  )
  const again = await open()
  expect(await answers(again.url)).toBe(true)
  await again.release()
})
