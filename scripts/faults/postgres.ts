import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, logFile, serverPid, start } from '@/lib/base/db/embedded/cluster'
import { serverAccount } from '@/lib/base/db/embedded/server-account'
import { serverBinaries } from '@/lib/base/db/embedded/server-binaries'
import { clusterOf } from '@/lib/base/db/embedded/server-directory'
import { serverFolder } from '@/lib/testing/temporary-data'

/** The PostgreSQL of a stage, as the machine sees it. */
export type Postgres = {
  /** Whether the server runs. */
  runs: () => boolean
  /** Sends every process a signal. */
  signal: (name: NodeJS.Signals) => void
  /** kill -9 of the process that all others belong to, as the system does when memory is short. @returns once all have ended */
  kill: () => Promise<void>
  /** @returns once it answers @throws Error with the end of its log */
  start: () => Promise<void>
  /** @param mode of pg_ctl @returns once it answers */
  restart: (mode: string) => Promise<void>
}

/** @param dataDir where `openDatabase` of the stage put it */
export async function postgresIn(dataDir: string): Promise<Postgres> {
  const dir = serverFolder(dataDir)
  const account = serverAccount(dir)
  const cluster: Cluster = { dir, account, fast: false, binaries: await serverBinaries(account, dir) }
  const processes = () => {
    const first = serverPid(cluster)
    const mine = processTable().filter(([pid, parent]) => pid === first || parent === first)
    return mine.map(([pid]) => pid)
  }
  return {
    runs: () => processes().length > 0,
    signal(name) {
      for (const pid of processes()) process.kill(pid, name)
    },
    async kill() {
      const all = processes()
      process.kill(serverPid(cluster) as number, 'SIGKILL')
      while (processTable().some(([pid]) => all.includes(pid))) await sleep(10)
    },
    start: () => start(cluster),
    async restart(mode) {
      const { pgCtl } = cluster.binaries
      const args = ['-D', clusterOf(dir), '-l', logFile(cluster), '-m', mode, '-w', '-t', '60', 'restart']
      execFileSync(pgCtl, args, { ...account, cwd: path.dirname(pgCtl), stdio: 'ignore' })
    },
  }
}

/** Every process with the one that started it, without those that have ended and wait to be asked how. */
function processTable(): [pid: number, parent: number][] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' })
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => !state?.startsWith('Z'))
    .map(([pid, parent]) => [Number(pid), Number(parent)])
}
