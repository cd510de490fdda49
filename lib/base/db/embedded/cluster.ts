import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { giveTo, type ServerAccount } from './server-account'
import type { ServerBinaries } from './server-binaries'
import { clusterOf } from './server-directory'

/** One PostgreSQL cluster in one folder, and how to run it. */
export type Cluster = {
  dir: string
  account: ServerAccount
  binaries: ServerBinaries
  /** For tests: nothing is flushed to disk, so a power cut loses everything. */
  fast: boolean
}

/** How to reach a cluster; kept beside its data, readable by its owner alone. */
type Connection = { password: string; port: number }

const connectionFile = (cluster: Pick<Cluster, 'dir'>) => path.join(cluster.dir, 'connection.json')
/** What the server has to say. */
export const logFile = (cluster: Cluster) => path.join(cluster.dir, 'postgres.log')

const readConnection = (cluster: Pick<Cluster, 'dir'>): Connection =>
  JSON.parse(fs.readFileSync(connectionFile(cluster), 'utf8'))

function writeConnection(cluster: Pick<Cluster, 'dir' | 'account'>, connection: Connection): void {
  const half = `${connectionFile(cluster)}.${process.pid}`
  fs.writeFileSync(half, JSON.stringify(connection), { mode: 0o600 })
  giveTo(cluster.account, half)
  fs.renameSync(half, connectionFile(cluster))
}

/** Gives a copy of a cluster the way to reach it, on another port than the original may be listening on. */
export async function moveConnection(from: string, to: string, account: ServerAccount): Promise<void> {
  writeConnection({ dir: to, account }, { ...readConnection({ dir: from }), port: await freePort() })
}

/** The address of one of the cluster's databases. */
export function databaseUrl(cluster: Cluster, database: string): string {
  const { password, port } = readConnection(cluster)
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`
}

/** @throws Error with what the program had to say, when its exit code is none of `accepted` */
function run(cluster: Cluster, program: string, args: string[], accepted = [0]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...cluster.account,
      cwd: cluster.dir,
      // macOS turns a server with any other locale multithreaded, which PostgreSQL refuses.
      env: { ...process.env, LC_ALL: 'C' },
      // pg_ctl's server would hold on to a pipe for as long as it lives; what it says is in its log file.
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

/** A port that is free on the loopback interface at this moment. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Makes the cluster unless it is there. A half-made one, left by a killed initdb, is made anew. */
export async function initialise(cluster: Cluster): Promise<void> {
  const data = clusterOf(cluster.dir)
  if (fs.existsSync(connectionFile(cluster)) && fs.existsSync(path.join(data, 'PG_VERSION'))) return
  fs.rmSync(data, { recursive: true, force: true })
  const password = randomBytes(24).toString('base64url')
  const passwordFile = path.join(cluster.dir, 'initial-password')
  fs.writeFileSync(passwordFile, password, { mode: 0o600 })
  giveTo(cluster.account, passwordFile)
  try {
    await run(cluster, cluster.binaries.initdb, [
      ...['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
      ...['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-locale'],
      ...['--no-instructions', ...(cluster.fast ? ['--no-sync'] : [])],
    ])
  } finally {
    fs.rmSync(passwordFile, { force: true })
  }
  // Last, because its presence says that the cluster is whole.
  writeConnection(cluster, { password, port: await freePort() })
}

/** Whether the server answers to our password; a stranger on the same port does not. */
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
 * Starts the server; on another port when something else took its own, and again after a moment when the processes of
 * a killed predecessor are still on their way out.
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

/** Tests run as many processes as there are cores, each with a pool of its own. */
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

/** Stops the server and waits for it, but not for ever; a server that is not running is no error. */
export async function stop(cluster: Cluster): Promise<void> {
  const args = ['-D', clusterOf(cluster.dir), '-m', 'fast', '-w', '-t', '10', 'stop']
  await run(cluster, cluster.binaries.pgCtl, args, [0, 1])
}

const pidFile = (cluster: Cluster) => path.join(clusterOf(cluster.dir), 'postmaster.pid')

/** The process id of the server; undefined when none runs. */
export function serverPid(cluster: Cluster): number | undefined {
  try {
    return Number(fs.readFileSync(pidFile(cluster), 'utf8').split('\n')[0])
  } catch {
    return undefined
  }
}

/** Tells the server to send its clients away and to end, as `stop` does, without waiting for it. */
export function tellToStop(cluster: Cluster): void {
  const pid = serverPid(cluster)
  try {
    if (pid) process.kill(pid, 'SIGINT')
  } catch {
    // It has ended already.
  }
}

/** Above every process id that Linux hands out. */
const NO_PROCESS = '999999999'

/**
 * A killed server leaves its process id behind. PostgreSQL checks that itself, but takes any living process for its
 * predecessor, and after a reboot or in a container the id is soon somebody else's. Only the id is replaced: from the
 * rest of the file PostgreSQL still sees whether processes of the predecessor are at work in the data.
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

/** Makes a database unless it is there. */
export async function ensureDatabase(cluster: Cluster, name: string): Promise<void> {
  const client = new pg.Client(databaseUrl(cluster, 'postgres'))
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (!rowCount) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}
