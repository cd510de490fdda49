import fs from 'node:fs'
import path from 'node:path'
import {
  answers,
  type Cluster,
  databaseUrl,
  ensureDatabase,
  initialize,
  logFile,
  serverPid,
  signalStop,
  start,
  stop,
} from './cluster'
import { type Holder, isAlive, processOf, takeLock, thisProcess } from './file-lock.mjs'
import { changeOwner } from './server-account'
import { installedServer, serverBinaries } from './server-binaries'
import { serverDirectory } from './server-directory'

export type EmbeddedDatabase = {
  /** The URL of the requested database, by default `latchkey`. */
  url: string
  /** The path of the server folder (see server-directory.ts), which contains the cluster. */
  dir: string
  /** Whether the data had to be stored outside DATA_DIR (see server-directory.ts). */
  relocated: boolean
  /** Whether this call created the cluster. */
  created: boolean
  /** Releases the database. The last process that releases it stops the server. */
  release: () => Promise<void>
  /**
   * Releases the database without waiting until the server has stopped. Call this if the process must exit
   * immediately.
   */
  abandon: () => void
  /** Registers a callback that is called once if the server ends unexpectedly. */
  onGone: (tell: () => void) => void
  /** The path of the server's log file. */
  log: string
}

export type EmbeddedOptions = { database?: string; fast?: boolean }

/**
 * Opens a database on a PostgreSQL server that is installed from npm. Instances without DATABASE_URL use this
 * database. Creates the cluster and the database if they do not exist. Several processes can share a
 * DATA_DIR, and each registers itself with a file in `users/`. The first process starts the server, and the
 * last one stops it. If the last process is killed, the server continues to run, and the next process reuses
 * the server.
 * @param dataDir path of DATA_DIR
 * @throws Error with a message for the instance admin if no server can run on this machine or the server does
 * not start
 */
export async function openEmbeddedDatabase(
  dataDir: string,
  { database = 'latchkey', fast = false }: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  // If no server is installed, this call throws an error before any file is created.
  installedServer()
  const { dir, account, relocated } = await serverDirectory(path.resolve(dataDir))
  const cluster: Cluster = { dir, account, fast, binaries: await serverBinaries(account, dir) }
  const users = path.join(dir, 'users')
  const mine = path.join(users, String(process.pid))
  const exclusively = async <T>(work: () => Promise<T>): Promise<T> => {
    const unlock = await takeLock(path.join(dir, 'start.lock'))
    try {
      return await work()
    } finally {
      unlock()
    }
  }

  const created = await exclusively(async () => {
    const isNew = !fs.existsSync(path.join(dir, 'connection.json'))
    await initialize(cluster)
    fs.mkdirSync(users, { recursive: true, mode: 0o700 })
    changeOwner(account, users)
    fs.writeFileSync(mine, JSON.stringify(thisProcess()))
    try {
      if (!(await answers(cluster))) await start(cluster)
      await ensureDatabase(cluster, database)
    } catch (error) {
      fs.rmSync(mine, { force: true })
      throw error
    }
    return isNew
  })

  const watch = new AbortController()
  const leave = () => {
    watch.abort()
    fs.rmSync(mine, { force: true })
    return !othersIn(users)
  }
  return {
    url: databaseUrl(cluster, database),
    dir,
    relocated,
    created,
    log: logFile(cluster),
    release: () =>
      exclusively(async () => {
        if (leave()) await stop(cluster)
      }),
    abandon: () => {
      if (leave()) signalStop(cluster)
    },
    onGone: (tell) => watchServer(cluster, tell, watch.signal),
  }
}

const LOOK_MS = 1_000

/**
 * Checks regularly whether the server's process is running, and calls `tell` once if the process has ended.
 */
function watchServer(cluster: Cluster, tell: () => void, given: AbortSignal): void {
  const server = processOf(serverPid(cluster) ?? 0)
  const timer = setInterval(() => {
    if (isAlive(server)) return
    clearInterval(timer)
    tell()
  }, LOOK_MS).unref()
  given.addEventListener('abort', () => clearInterval(timer))
}

/** Returns whether another running process uses the server. Removes the files of ended processes. */
function othersIn(users: string): boolean {
  let others = false
  for (const name of fs.readdirSync(users)) {
    const file = path.join(users, name)
    if (isAlive(readUser(file))) others = true
    else fs.rmSync(file, { force: true })
  }
  return others
}

function readUser(file: string): Holder {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return { pid: 0, started: 'dead', host: thisProcess().host }
  }
}
