import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { isAlive, takeLock, thisProcess } from './file-lock.mjs'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'file-lock-'))
let file: string
let count = 0
beforeEach(() => {
  file = path.join(folder, String(++count), 'build.lock')
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

it('a lock has only one holder at a time, and each waiting caller receives the holder’s process ID', async () => {
  const order: string[] = []
  const waitedFor: (number | undefined)[] = []
  const enter = async (name: string) => {
    const release = await takeLock(file, { onWait: (holder) => waitedFor.push(holder?.pid) })
    order.push(`${name} in`)
    await sleep(20)
    order.push(`${name} out`)
    release()
  }
  await Promise.all([enter('a'), enter('b'), enter('c')])
  expect(order).toHaveLength(6)
  for (const at of [0, 2, 4]) expect(order[at + 1]).toBe(order[at]?.replace('in', 'out'))
  expect(waitedFor).toEqual([process.pid, process.pid])
  expect(fs.readdirSync(path.dirname(file))).toEqual([])
})

it('a process takes over the lock of a process that has ended', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, JSON.stringify({ ...thisProcess(), pid, started: '' }))
  const release = await takeLock(file)
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual(thisProcess())
  release()
})

it.runIf(process.platform === 'linux')(
  'a later process with the same ID is not mistaken for a lock’s holder',
  () => {
    expect(isAlive(thisProcess())).toBe(true)
    expect(isAlive({ ...thisProcess(), started: '1' })).toBe(false)
  },
)

it('a lock’s holder on another machine counts as running', () => {
  expect(isAlive({ pid: 1, started: '', host: 'another.example' })).toBe(true)
})

it('a lock is released when its holder is killed', async () => {
  const source = `
    import { takeLock } from ${JSON.stringify(new URL('./file-lock.mjs', import.meta.url).href)}
    await takeLock(${JSON.stringify(file)})
    console.log('taken')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source])
  await new Promise((resolve) => child.stdout.once('data', resolve))
  let entered = false
  const waiting = takeLock(file).then((release) => {
    entered = true
    return release
  })
  await sleep(300)
  expect(entered).toBe(false)
  child.kill('SIGKILL')
  const release = await waiting
  release()
})
