import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, logFile, serverPid, start } from '@/lib/base/db/embedded/cluster'
import { serverAccount } from '@/lib/base/db/embedded/server-account'
import { serverBinaries } from '@/lib/base/db/embedded/server-binaries'
import { clusterOf } from '@/lib/base/db/embedded/server-directory'
import { serverFolder } from '@/lib/testing/temporary-data'

/** The PostgreSQL processes of a stage. */
export type Postgres = {
  /** Returns whether the server is running. */
  runs: () => boolean
  /** Sends a signal to every process. */
  signal: (name: NodeJS.Signals) => void
  /**
   * Kills the main process with SIGKILL, as the out-of-memory killer does. Resolves when all processes have
   * ended.
   */
  kill: () => Promise<void>
  /**
   * Starts the server and waits until it responds. @throws Error with the end of the server's log if it does
   * not start
   */
  start: () => Promise<void>
  /** Restarts the server and waits until it responds. @param mode the shutdown mode of pg_ctl */
  restart: (mode: string) => Promise<void>
}

/**
 * Returns functions that control the PostgreSQL server of a stage.
 * @param dataDir the stage's folder, which was passed to `openDatabase`
 */
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

/** Returns the IDs of all processes except zombies, each with its parent's ID. */
function processTable(): [pid: number, parent: number][] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' })
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => !state?.startsWith('Z'))
    .map(([pid, parent]) => [Number(pid), Number(parent)])
}
