import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type Cluster,
  databaseUrl,
  ensureDatabase,
  initialize,
  moveConnection,
  serverPid,
  start,
  stop,
  withConnection,
} from '@/lib/base/db/embedded/cluster'
import { copyCluster } from '@/lib/base/db/embedded/copy-cluster'
import { changeOwner } from '@/lib/base/db/embedded/server-account'
import { serverBinaries } from '@/lib/base/db/embedded/server-binaries'
import { clusterOf, serverDirectory } from '@/lib/base/db/embedded/server-directory'
import { removeTemporaryData } from './temporary-data'

/** A PostgreSQL server in a replicated group. */
export type ClusterMember = {
  name: string
  url: string
  /** Runs a query on a new connection, without the product's code, and returns the rows. */
  ask: <Row extends pg.QueryResultRow>(sql: string) => Promise<Row[]>
  /** Writes settings to the server's configuration file and makes the running server reload the file. */
  set: (settings: Record<string, string>) => Promise<void>
  /** Returns the server's process ID, or undefined if the server is not running. */
  pid: () => number | undefined
  /** Sends SIGKILL to the server if it is running, and waits until it no longer responds. */
  kill: () => Promise<void>
  /** Starts the stopped server again with its existing data and settings. */
  start: () => Promise<void>
  stop: () => Promise<void>
}

const database = 'latchkey'

/** Creates a primary with the PostgreSQL programs from npm, starts it, and creates its database. */
async function startPrimary(dir: string): Promise<ClusterMember> {
  const cluster = await clusterIn(dir)
  await initialize(cluster)
  await start(cluster)
  await ensureDatabase(cluster, database)
  return memberOf('primary', cluster)
}

/** A primary and its standbys. Each server has its own subfolder. */
export type ClusterFamily = {
  primary: ClusterMember
  /** Adds a standby that follows the primary. */
  add: (name: string) => Promise<ClusterMember>
  /** Stops all servers and removes their data. */
  end: () => Promise<void>
}

/**
 * Starts a primary, and returns functions that add standbys and stop all servers.
 * @param dir a folder that PostgreSQL's account can enter
 */
export async function startFamily(dir: string): Promise<ClusterFamily> {
  const homes: string[] = []
  const home = (name: string) => {
    const folder = path.join(dir, name)
    fs.mkdirSync(folder, { mode: 0o755 })
    homes.push(folder)
    return folder
  }
  const first = home('primary')
  const primary = await startPrimary(first)
  const members = [primary]
  return {
    primary,
    async add(name) {
      const standby = await addStandby(primary, first, home(name), name)
      members.push(standby)
      return standby
    },
    async end() {
      for (const member of members) await member.stop()
      for (const folder of homes) removeTemporaryData(folder)
    },
  }
}

/**
 * Creates a standby from a base backup of the primary's files, and starts it. Also creates the standby's
 * replication slot on the primary.
 * @param dir a new folder for the standby
 * @param primaryDir the folder of the primary
 */
async function addStandby(
  primary: ClusterMember,
  primaryDir: string,
  dir: string,
  name: string,
): Promise<ClusterMember> {
  const [from, to] = [await clusterIn(primaryDir), await clusterIn(dir)]
  await withConnection(primary.url, async (client) => {
    await client.query('SELECT pg_create_physical_replication_slot($1, true)', [name])
    await client.query(`SELECT pg_backup_start('standby', true)`)
    await copyCluster(clusterOf(from.dir), clusterOf(to.dir), to.account, true)
    const { rows } = await client.query<{ label: string }>(
      'SELECT labelfile AS label FROM pg_backup_stop(false)',
    )
    write(to, 'backup_label', (rows[0] as { label: string }).label)
  })
  await moveConnection(from.dir, to.dir, to.account)
  const { hostname, port, username, password } = new URL(primary.url)
  const way = `host=${hostname} port=${port} user=${username} password=${password} application_name=${name}`
  const settings = [`primary_conninfo = '${way}'`, `primary_slot_name = '${name}'`]
  write(to, 'postgresql.auto.conf', `${settings.join('\n')}\n`)
  write(to, 'standby.signal', '')
  await start(to)
  return memberOf(name, to)
}

async function clusterIn(dir: string): Promise<Cluster> {
  const { dir: own, account } = await serverDirectory(dir)
  return { dir: own, account, fast: false, binaries: await serverBinaries(account, own) }
}

function write(cluster: Cluster, name: string, text: string): void {
  const file = path.join(clusterOf(cluster.dir), name)
  fs.writeFileSync(file, text, { mode: 0o600 })
  changeOwner(cluster.account, file)
}

function memberOf(name: string, cluster: Cluster): ClusterMember {
  const ask = <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> =>
    withConnection(databaseUrl(cluster, database), async (client) => (await client.query<Row>(sql)).rows)
  return {
    name,
    url: databaseUrl(cluster, database),
    ask,
    async set(settings) {
      for (const [setting, value] of Object.entries(settings)) {
        await ask(`ALTER SYSTEM SET ${setting} = ${pg.escapeLiteral(value)}`)
      }
      await ask('SELECT pg_reload_conf()')
    },
    pid: () => serverPid(cluster),
    async kill() {
      const pid = serverPid(cluster)
      if (pid) process.kill(pid, 'SIGKILL')
      while (await ask('SELECT 1').catch(() => false)) await sleep(10)
    },
    start: () => start(cluster),
    stop: () => stop(cluster),
  }
}

/** Returns a single database URL that lists the hosts and ports of several servers. */
export const urlOfAllMembers = (...members: ClusterMember[]): string => {
  const hosts = members.map(({ url }) => new URL(url).host)
  return String(members[0]?.url).replace(String(hosts[0]), hosts.join(','))
}
