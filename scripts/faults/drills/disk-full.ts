import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Drill, type Findings, seconds } from '../drill'
import { countResults, unexpectedResults } from '../ledger'
import { postgresIn } from '../postgres'
import { isReady } from '../server'
import { openDatabase, withStage } from '../stage'

/** The size of the disk in megabytes: enough for a new cluster and a little data. */
const sizeMb = 160

/**
 * The time limit of two waits, in milliseconds: the wait until a request fails because the disk is full, and
 * the wait until the server is ready again after space was freed.
 */
const patienceMs = 60_000

export const diskFull: Drill = {
  about: `PostgreSQL's disk of ${sizeMb} MB is filled completely under load, and then freed`,
  async run() {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) {
      return { skipped: 'a separate disk requires Linux and root (mount -t tmpfs)' }
    }
    let disk: string | undefined
    const open = async (dataDir: string) => {
      const at = path.join(dataDir, 'postgres')
      fs.mkdirSync(at, { mode: 0o700 })
      disk = mount(at) ? at : undefined
      const database = await openDatabase(dataDir)
      const release = async () => {
        await database.release()
        if (disk !== undefined) spawnSync('umount', [disk])
      }
      return { ...database, release }
    }
    return withStage({ open }, async (stage) =>
      disk === undefined ? { skipped: 'this machine does not allow mount -t tmpfs' } : fill(disk, stage),
    )
  },
}

const mount = (at: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0700,uid=65534,gid=65534`, 'tmpfs', at])
    .status === 0

async function fill(disk: string, stage: Parameters<Parameters<typeof withStage>[1]>[0]): Promise<Findings> {
  const postgres = await postgresIn(stage.dataDir)
  const server = stage.serve({ settings: { DATABASE_TIMEOUT: '3' } })
  await server.ready()
  const ledger = await stage.ledger(8)
  ledger.start()
  await sleep(2_000)
  const ballast = path.join(disk, 'ballast')
  const since = performance.now()
  takeAll(ballast)
  const isFailing = () => ledger.answers.some(({ what }) => what !== '200')
  while (!isFailing() && performance.now() - since < patienceMs) await sleep(100)
  const noticed = performance.now() - since
  await sleep(5_000)
  const survived = postgres.runs()
  fs.rmSync(ballast)
  const freed = performance.now()
  // If PostgreSQL stopped, start it again, as a supervisor would.
  if (!survived) await postgres.start()
  while (!(await isReady(server.base)) && performance.now() - freed < patienceMs) await sleep(25)
  const ready = performance.now() - freed
  await sleep(3_000)
  await ledger.stop()
  const after = ledger.answers.filter(({ at }) => at > freed + ready + 1_000)
  return {
    lines: [
      ['answers', countResults(ledger.answers)],
      ['noticed', `${seconds(noticed)} after the disk was full, with the first 503`],
      [
        'PostgreSQL',
        survived ? 'continued' : 'stopped, because it could not write its log, and was restarted',
      ],
      ['ready', `${seconds(ready)} after space was freed`],
      ['after that', countResults(after)],
    ],
    acknowledged: ledger.acknowledged,
    lost: await ledger.lost(),
    wrong: [
      ...unexpectedResults(ledger.answers),
      ...(isFailing() ? [] : ['the full disk was not noticed']),
      ...(after.every(({ what }) => what === '200') ? [] : ['the server has not recovered']),
    ],
  }
}

/** Writes zeros until the disk is full. */
function takeAll(file: string): void {
  const descriptor = fs.openSync(file, 'w')
  try {
    for (const block of [1 << 20, 4096]) {
      try {
        for (;;) fs.writeSync(descriptor, Buffer.alloc(block))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    fs.closeSync(descriptor)
  }
}
