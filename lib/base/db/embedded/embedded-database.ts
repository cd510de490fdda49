import fs from 'node:fs'
import path from 'node:path'
import {
  answers,
  type Cluster,
  databaseUrl,
  ensureDatabase,
  initialise,
  logFile,
  serverPid,
  start,
  stop,
  tellToStop,
} from './cluster'
import { type Holder, isAlive, processOf, takeLock, thisProcess } from './file-lock.mjs'
import { giveTo } from './server-account'
import { installedServer, serverBinaries } from './server-binaries'
import { serverDirectory } from './server-directory'

export type EmbeddedDatabase = {
  /** A connection string for the `latchkey` database. */
  url: string
  /** Where the data lies. */
  dir: string
  /** The data had to go outside DATA_DIR (see server-directory). */
  relocated: boolean
  /** The cluster did not exist before. */
  created: boolean
  /** Gives the database back; the last process to do so stops the server. */
  release: () => Promise<void>
  /** The same without waiting for anything, for a process that must end at once: the server stops on its own. */
  abandon: () => void
  /** Calls back once when the server ends although nobody here gave the database back. */
  onGone: (tell: () => void) => void
  /** The server's log file. */
  log: string
}

export type EmbeddedOptions = { database?: string; fast?: boolean }

/**
 * A real PostgreSQL from npm, for whoever starts Latchkey without one.
 *
 * Several processes may share a DATA_DIR: each leaves a file naming itself in `users/`, whoever comes first starts the
 * server and whoever leaves last stops it. A killed process counts as gone, so its server is found and taken over.
 * @param dataDir path of DATA_DIR
 * @throws Error with one sentence when no server can be had here
 */
export async function openEmbeddedDatabase(
  dataDir: string,
  { database = 'latchkey', fast = false }: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  // Before anything is made.
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
    await initialise(cluster)
    fs.mkdirSync(users, { recursive: true, mode: 0o700 })
    giveTo(account, users)
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
      if (leave()) tellToStop(cluster)
    },
    onGone: (tell) => watchServer(cluster, tell, watch.signal),
  }
}

const LOOK_MS = 1_000

/** Looks now and then whether the server's process still lives, and tells once that it does not. */
function watchServer(cluster: Cluster, tell: () => void, given: AbortSignal): void {
  const server = processOf(serverPid(cluster) ?? 0)
  const timer = setInterval(() => {
    if (isAlive(server)) return
    clearInterval(timer)
    tell()
  }, LOOK_MS).unref()
  given.addEventListener('abort', () => clearInterval(timer))
}

/** Whether a living process still uses the server; files of dead ones are removed. */
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
