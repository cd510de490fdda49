import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { parse } from 'pg-connection-string'
import { splitServers } from '@/lib/base/config/database-url'
import { config } from '@/lib/base/config/env'
import { remember } from '@/lib/base/process/remember'

type Target = Pick<PrimaryClientConfig, 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'places'>

/**
 * The `sslmode` values with which connections verify the server's certificate against DATABASE_CA, if
 * DATABASE_CA is set.
 */
const verifying = ['require', 'verify-ca', 'verify-full']

/**
 * Returns the connection settings for a database URL. `sslmode` works as in libpq, so that providers' URLs
 * work unchanged: `require` encrypts and accepts any certificate unless an authority is configured,
 * `verify-ca` verifies the issuer, and `verify-full` also verifies the host name. Unlike in libpq, `prefer`
 * does not fall back to an unencrypted connection. A URL without `sslmode` is treated like one with
 * `verify-full` if `ca` is set. Otherwise, the driver's default applies to it. See ADR 0035. If the URL lists
 * several servers, the host and port are those of the first server, and a `PrimaryClient` finds the primary
 * among all servers in `places`.
 * @param address DATABASE_URL, DATABASE_DIRECT_URL, or another URL that `databaseUrl`
 * (lib/base/config/database-url.ts) accepts
 * @param ca the value of DATABASE_CA, the authority's certificate, which overrides a file in the URL
 * @throws the system's error if a file in the URL is not readable, or the parser's error for `verify-ca`
 * without an authority
 */
export function databaseTarget(address: string, ca?: string): Target {
  const servers = splitServers(address)
  const target = targetOf(servers[0] as string, ca)
  if (servers.length === 1) return target
  return { ...target, places: servers.map(placeOf) }
}

const placeOf = (address: string) => {
  const { host, port } = parsed(address)
  return { host: host || 'localhost', port: Number(port || 5432) }
}

function targetOf(address: string, ca?: string): Target {
  const url = new URL(address)
  const { searchParams } = url
  const mode = modeOf(searchParams, ca)
  if (mode === undefined) return parsed(address)
  const verified = ca !== undefined && verifying.includes(mode)
  if (verified) searchParams.delete('sslrootcert')
  searchParams.set('sslmode', verified ? 'verify-full' : mode)
  // Without this flag, the driver treats `prefer`, `require`, and `verify-ca` like `verify-full`. With the
  // flag, the driver does not support its own value `no-verify`.
  if (mode !== 'no-verify') searchParams.set('uselibpqcompat', 'true')
  const target = parsed(url.href)
  if (!verified) return target
  const anyName = mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }
  return { ...target, ssl: { ...(target.ssl as object), ca, ...anyName } }
}

/**
 * Returns the TLS mode from a URL's parameters. Removes `sslrootcert=system` from the parameters and returns
 * `verify-full` for it. If the parameters contain no mode, returns `verify-full` if DATABASE_CA is set, or
 * else undefined.
 */
function modeOf(parameters: URLSearchParams, ca: string | undefined): string | undefined {
  // In libpq, the value `system` means the system's authorities. Delete the parameter, so that the driver
  // uses Node's own authorities, its default if no file is set.
  if (parameters.get('sslrootcert') === 'system') {
    parameters.delete('sslrootcert')
    return 'verify-full'
  }
  return parameters.get('sslmode') ?? (ca === undefined ? undefined : 'verify-full')
}

/**
 * Parses a URL with the driver's parser. The cast is needed because the parser's type declares different
 * fields as nullable.
 */
const parsed = (address: string) => parse(address) as unknown as Target

/** How much longer than PostgreSQL's own statement timeout the driver waits, in milliseconds. */
const graceMs = 5_000

/**
 * The statement timeout that `silenceMs` assumes if DATABASE_TIMEOUT is 0, in seconds. Without any limit, the
 * driver would not detect that a connection is dead.
 */
const longest = 60

/**
 * Returns the time after which an unresponsive connection is closed, in milliseconds.
 * @param seconds the statement timeout on that connection; by default, DATABASE_TIMEOUT
 */
export const silenceMs = (seconds = config().DATABASE_TIMEOUT || longest) => seconds * 1000 + graceMs

/**
 * Returns the settings for all connections except those that check, migrate, or distribute the database.
 * @param seconds the statement timeout, by default DATABASE_TIMEOUT; ignored if DATABASE_TIMEOUT is 0, which
 * leaves the limit to the database
 * @param address a database URL; by default, DATABASE_URL
 */
export const connectionSettings = (seconds = config().DATABASE_TIMEOUT, address = config().DATABASE_URL) => ({
  connectionTimeoutMillis: 10_000,
  application_name: 'latchkey',
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  ...(config().DATABASE_TIMEOUT > 0 ? { statement_timeout: seconds * 1000 } : {}),
  ...databaseTarget(address, config().DATABASE_CA),
})

/**
 * Returns how long an idle connection stays open, in milliseconds. The time is shorter in a serverless
 * function, in which idle connections must close before the function is frozen.
 */
export const idleMs = () => (config().functions ? 5_000 : 60_000)

type Done = (error?: Error) => void

/** The host and port of one server. */
type Place = { host: string; port: number }

/** The driver's settings, and the list of servers that might be the primary. */
export type PrimaryClientConfig = pg.ClientConfig & { places?: Place[] }

/** Members of the driver's client that its types do not declare. */
type Driven = {
  host: string
  port: number
  _ending: boolean
  _queryable: boolean
  connection: {
    on: {
      (event: 'end', heard: () => void): void
      (
        event: 'parameterStatus',
        heard: (status: { parameterName: string; parameterValue: string }) => void,
      ): void
      (event: 'errorMessage', heard: (error: { code?: string }) => void): void
    }
  }
}

/** PostgreSQL's error code for a write in a read-only transaction. `isOutage` returns true for this code. */
const readOnly = '25006'

/** Thrown if the server is a standby, or if no server that responded accepts writes. */
class NoPrimaryError extends Error {
  override name = 'NoPrimaryError'
  readonly code = readOnly
}

/**
 * A connection to the primary. If the URL lists several servers, the client finds the one that accepts
 * writes. If the only server is a standby, connecting fails as if the server were down, so that a read never
 * misses an earlier write. If a write fails because the server has become read-only, the pool closes the
 * connection, and the next connection searches for the primary again. See ADR 0035.
 */
export class PrimaryClient extends pg.Client {
  readonly #settings: PrimaryClientConfig

  constructor(settings: PrimaryClientConfig) {
    super(settings)
    this.#settings = settings
  }

  override connect(): Promise<pg.Client>
  override connect(done: Done): void
  override connect(done?: Done): Promise<pg.Client> | undefined {
    const connecting = this.#open()
    if (!done) return connecting.then(() => this)
    connecting.then(() => done(), done)
    return undefined
  }

  async #open(): Promise<void> {
    const driven = this as unknown as Driven
    const { places } = this.#settings
    let isStandby = false
    driven.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') isStandby = parameterValue === 'on'
    })
    driven.connection.on('errorMessage', ({ code }) => {
      if (code !== readOnly) return
      forgetPrimary(places)
      // If this property is false, the pool closes the connection when the connection is returned.
      driven._queryable = false
    })
    // A lost connection can mean that the primary has moved, so the next connection must search for the
    // primary again.
    driven.connection.on('end', () => driven._ending || forgetPrimary(places))
    try {
      if (places) Object.assign(driven, await primaryOf(places, this.#settings))
      await super.connect()
      if (isStandby) throw new NoPrimaryError('the server is a standby, which accepts no writes')
    } catch (error) {
      forgetPrimary(places)
      if (isStandby) await this.end().catch(() => undefined)
      throw error
    }
  }
}

const found = () => remember('primary-places', () => new Map<string, Promise<Place>>())

const keyOf = (places: Place[]): string => JSON.stringify(places)

const forgetPrimary = (places: Place[] | undefined): void => {
  if (places) found().delete(keyOf(places))
}

/**
 * Returns the server that accepts writes. The result is cached until a connection fails, is lost, or becomes
 * read-only.
 */
function primaryOf(places: Place[], settings: PrimaryClientConfig): Promise<Place> {
  const known = found().get(keyOf(places))
  if (known) return known
  const finding = findPrimary(places, settings)
  found().set(keyOf(places), finding)
  finding.catch(() => forgetPrimary(places))
  return finding
}

/**
 * The time limit for connecting to a server, and the time limit for the server's response, in milliseconds.
 */
const answerMs = 3_000

/** How much longer to wait for the other servers after a primary has responded, in milliseconds. */
const othersMs = 500

/**
 * Finds the primary by querying all servers in parallel. If several servers accept writes, the primary is the
 * one that was promoted last: it has the latest timeline, because a former primary that starts again keeps an
 * earlier one.
 * @throws NoPrimaryError if no server that responded accepts writes, or the first server's error if no server
 * responded
 */
async function findPrimary(places: Place[], settings: PrimaryClientConfig): Promise<Place> {
  const writable: { place: Place; timeline: number; order: number }[] = []
  const failures: unknown[] = []
  const asked = places.map(async (place, order) => {
    try {
      const timeline = await askTimeline(settings, place)
      if (timeline !== null) writable.push({ place, timeline, order })
    } catch (error) {
      failures.push(error)
    }
    return writable.length > 0
  })
  const one = Promise.any(asked.map(async (each) => (await each) || Promise.reject(new Error('no primary'))))
  const all = Promise.all(asked)
  await Promise.race([all, one.then(() => sleep(othersMs, undefined, { ref: false }))]).catch(() => all)
  const [first] = writable.sort((a, b) => b.timeline - a.timeline || a.order - b.order)
  if (first) return first.place
  // If every server failed, throw the first error, because it explains the cause, such as a wrong password.
  if (failures.length === places.length) throw failures[0]
  throw new NoPrimaryError('none of the servers that responded accepts writes')
}

/** Returns the server's timeline, or null if the server accepts no writes. */
async function askTimeline(settings: PrimaryClientConfig, place: Place): Promise<number | null> {
  // Pass the password separately, because the pool makes it non-enumerable and `...settings` therefore omits
  // it.
  const { password = '' } = settings
  const limits = { connectionTimeoutMillis: answerMs, query_timeout: answerMs }
  const client = new pg.Client({ ...settings, ...place, ...limits, password })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: number | null }>(
      `SELECT CASE WHEN NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off'
              THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline`,
    )
    return rows[0]?.timeline ?? null
  } finally {
    await client.end().catch(() => undefined)
  }
}
