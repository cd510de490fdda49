import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { changeOwner, type ServerAccount } from './server-account'
import type { ServerBinaries } from './server-binaries'
import { clusterOf } from './server-directory'

/** A PostgreSQL cluster in a folder, with the programs and the account that run it. */
export type Cluster = {
  dir: string
  account: ServerAccount
  binaries: ServerBinaries
  /**
   * Whether to use the options in `FAST`, which skip flushing to disk. For tests only, because all data could
   * be lost in a power failure.
   */
  fast: boolean
}

/**
 * The password and port for connecting to a cluster. They are stored next to the cluster's data in a file
 * that only the file's owner can read.
 */
type Connection = { password: string; port: number }

const connectionFile = (cluster: Pick<Cluster, 'dir'>) => path.join(cluster.dir, 'connection.json')
/** Returns the path of the server's log file. */
export const logFile = (cluster: Cluster) => path.join(cluster.dir, 'postgres.log')

const readConnection = (cluster: Pick<Cluster, 'dir'>): Connection =>
  JSON.parse(fs.readFileSync(connectionFile(cluster), 'utf8'))

function writeConnection(cluster: Pick<Cluster, 'dir' | 'account'>, connection: Connection): void {
  const half = `${connectionFile(cluster)}.${process.pid}`
  fs.writeFileSync(half, JSON.stringify(connection), { mode: 0o600 })
  changeOwner(cluster.account, half)
  fs.renameSync(half, connectionFile(cluster))
}

/** Writes the connection file of a copied cluster, with the original's password and a free port. */
export async function moveConnection(from: string, to: string, account: ServerAccount): Promise<void> {
  writeConnection({ dir: to, account }, { ...readConnection({ dir: from }), port: await freePort() })
}

/** Returns the URL of one of the cluster's databases. */
export function databaseUrl(cluster: Cluster, database: string): string {
  const { password, port } = readConnection(cluster)
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`
}

/**
 * Runs a program as the cluster's account.
 * @throws Error if the program does not start or its exit code is not in `accepted`; except for pg_ctl, the
 * message contains the last lines of the error output
 */
function run(cluster: Cluster, program: string, args: string[], accepted = [0]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...cluster.account,
      cwd: cluster.dir,
      // Set a valid locale. Without one, macOS looks up the user's locale, which makes the server
      // multithreaded, and PostgreSQL then does not start.
      env: { ...process.env, LC_ALL: 'C' },
      // Do not use a pipe for pg_ctl, because the server that it starts would keep the pipe open. The server
      // writes to its log file.
      stdio: ['ignore', 'ignore', program === cluster.binaries.pgCtl ? 'ignore' : 'pipe'],
      windowsHide: true,
    })
    let complaint = ''
    child.stderr?.on('data', (chunk) => {
      complaint += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (accepted.includes(code ?? -1)) resolve()
      else reject(new Error(`${path.basename(program)} failed (${code}). ${lastLines(complaint)}`))
    })
  })
}

const lastLines = (text: string) => text.trim().split('\n').slice(-5).join('\n')

/** Returns a port that is currently free on the loopback interface. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Creates the cluster unless it exists. Recreates an incomplete cluster that a killed initdb left behind. */
export async function initialize(cluster: Cluster): Promise<void> {
  const data = clusterOf(cluster.dir)
  if (fs.existsSync(connectionFile(cluster)) && fs.existsSync(path.join(data, 'PG_VERSION'))) return
  fs.rmSync(data, { recursive: true, force: true })
  const password = randomBytes(24).toString('base64url')
  const passwordFile = path.join(cluster.dir, 'initial-password')
  fs.writeFileSync(passwordFile, password, { mode: 0o600 })
  changeOwner(cluster.account, passwordFile)
  try {
    await run(cluster, cluster.binaries.initdb, [
      ...['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
      ...['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-locale'],
      ...['--no-instructions', ...(cluster.fast ? ['--no-sync'] : [])],
    ])
  } finally {
    fs.rmSync(passwordFile, { force: true })
  }
  // Write the connection file last, so that its presence means that the cluster is complete.
  writeConnection(cluster, { password, port: await freePort() })
}

/** Returns whether the server accepts our password. Another server on the same port would reject it. */
export async function answers(cluster: Cluster): Promise<boolean> {
  const client = new pg.Client({
    connectionString: databaseUrl(cluster, 'postgres'),
    connectionTimeoutMillis: 3_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/**
 * Starts the server. If this fails, tries up to three more times: stores another port each time, because the
 * previous one might be in use, and waits longer each time, because the processes of a killed server might
 * still be exiting.
 * @throws Error with the end of the server's log
 */
export async function start(cluster: Cluster): Promise<void> {
  disownPidFile(cluster)
  if (await tryStart(cluster)) return
  for (const wait of [0, 1_000, 4_000]) {
    await sleep(wait)
    writeConnection(cluster, { ...readConnection(cluster), port: await freePort() })
    if (await tryStart(cluster)) return
  }
  const log = fs.existsSync(logFile(cluster)) ? lastLines(fs.readFileSync(logFile(cluster), 'utf8')) : ''
  throw new Error(`The embedded PostgreSQL in ${cluster.dir} did not start:\n${log}`)
}

/**
 * The server options for tests. Tests run in several processes at the same time, each with its own pool, so
 * they need many connections.
 */
const FAST = [
  ...['-c fsync=off', '-c synchronous_commit=off', '-c full_page_writes=off'],
  '-c max_connections=300',
]

async function tryStart(cluster: Cluster): Promise<boolean> {
  const settings = [
    `-p ${readConnection(cluster).port}`,
    '-c listen_addresses=127.0.0.1',
    '-c unix_socket_directories=',
    ...(cluster.fast ? FAST : []),
  ]
  const args = ['-D', clusterOf(cluster.dir), '-l', logFile(cluster), '-w', '-t', '60']
  try {
    await run(cluster, cluster.binaries.pgCtl, [...args, '-o', settings.join(' '), 'start'])
    return true
  } catch {
    return answers(cluster)
  }
}

/**
 * Stops the server and waits up to ten seconds until it has stopped. Does nothing if the server is not
 * running.
 */
export async function stop(cluster: Cluster): Promise<void> {
  const args = ['-D', clusterOf(cluster.dir), '-m', 'fast', '-w', '-t', '10', 'stop']
  await run(cluster, cluster.binaries.pgCtl, args, [0, 1])
}

const pidFile = (cluster: Cluster) => path.join(clusterOf(cluster.dir), 'postmaster.pid')

/** Returns the process ID in the server's PID file, or undefined if there is no such file. */
export function serverPid(cluster: Cluster): number | undefined {
  try {
    return Number(fs.readFileSync(pidFile(cluster), 'utf8').split('\n')[0])
  } catch {
    return undefined
  }
}

/**
 * Signals the server to disconnect its clients and stop, like `stop`, but does not wait until it has stopped.
 */
export function signalStop(cluster: Cluster): void {
  const pid = serverPid(cluster)
  try {
    if (pid) process.kill(pid, 'SIGINT')
  } catch {
    // The process has already ended.
  }
}

/** A process ID that cannot exist on Linux. */
const NO_PROCESS = '999999999'

/**
 * On Linux, replaces the process ID in the PID file that a killed server left behind. PostgreSQL mistakes any
 * running process with that ID for the old server and then does not start. After a reboot or in a container,
 * another process is likely to get the same ID. The rest of the file is unchanged, so that PostgreSQL can
 * still detect processes of the old server.
 */
function disownPidFile(cluster: Cluster): void {
  const data = clusterOf(cluster.dir)
  const file = pidFile(cluster)
  if (process.platform !== 'linux' || !fs.existsSync(file)) return
  const [pid, ...rest] = fs.readFileSync(file, 'utf8').split('\n')
  const command = `/proc/${pid}/cmdline`
  const isOurs = fs.existsSync(command) && fs.readFileSync(command, 'utf8').split('\0').includes(data)
  if (!isOurs) fs.writeFileSync(file, [NO_PROCESS, ...rest].join('\n'))
}

/**
 * Connects to a database, runs `work`, and closes the connection.
 * @param url the database URL of a cluster on this machine
 * @throws the errors of `work`. If the connection is lost, the current statement rejects
 */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  // Without a listener, a lost connection would end the process. The current statement reports it.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Creates a database unless it exists. */
export const ensureDatabase = (cluster: Cluster, name: string): Promise<void> =>
  withConnection(databaseUrl(cluster, 'postgres'), async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (!rowCount) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
  })
