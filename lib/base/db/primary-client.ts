import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { remember } from '@/lib/base/process/remember'
import { OpeningClient } from './opening-client'

/** Where a server listens. */
type Place = { host: string; port: number }

/** The driver's settings, and where the primary may be when the address names several servers. */
export type PrimaryClientConfig = pg.ClientConfig & { places?: Place[] }

/** What the driver has, and its types do not. */
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

/** PostgreSQL's code for a write where none is taken; `isOutage` knows it. */
const readOnly = '25006'

/** The server that answered is a standby, or none of several is anything else. */
class NoPrimaryError extends Error {
  override name = 'NoPrimaryError'
  readonly code = readOnly
}

/**
 * A connection to the server that takes writes. Where the address names several, it goes to the one of them that does; where it
 * leads to a standby, it fails as if nobody had answered, so that what is read is never older than what was written. One that
 * turns out to take no writes any more is closed, and the next is made anew: to wherever the address then leads.
 * See decision 150.
 */
export class PrimaryClient extends OpeningClient {
  readonly #settings: PrimaryClientConfig

  constructor(settings: PrimaryClientConfig) {
    super(settings)
    this.#settings = settings
  }

  protected async open(): Promise<void> {
    const driven = this as unknown as Driven
    const { places } = this.#settings
    let isStandby = false
    driven.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') isStandby = parameterValue === 'on'
    })
    driven.connection.on('errorMessage', ({ code }) => {
      if (code !== readOnly) return
      forget(places)
      // The pool closes one that is given back like this.
      driven._queryable = false
    })
    // Where the primary was is not where it is once a connection to it is lost.
    driven.connection.on('end', () => driven._ending || forget(places))
    try {
      if (places) Object.assign(driven, await primaryOf(places, this.#settings))
      await this.dial()
      if (isStandby) throw new NoPrimaryError('the server is a standby, which takes no writes')
    } catch (error) {
      forget(places)
      if (isStandby) await this.end().catch(() => undefined)
      throw error
    }
  }
}

const found = () => remember('primary-places', () => new Map<string, Promise<Place>>())

const keyOf = (places: Place[]): string => JSON.stringify(places)

const forget = (places: Place[] | undefined): void => {
  if (places) found().delete(keyOf(places))
}

/** Which of several servers takes writes: found once, until a connection to it fails. */
function primaryOf(places: Place[], settings: PrimaryClientConfig): Promise<Place> {
  const known = found().get(keyOf(places))
  if (known) return known
  const finding = findPrimary(places, settings)
  found().set(keyOf(places), finding)
  finding.catch(() => forget(places))
  return finding
}

/** How long one server may take to answer, in milliseconds. */
const answerMs = 3_000

/** How much longer the others have once one has been found. */
const othersMs = 500

/**
 * Asks all of them at once. Of two that take writes, the one that was promoted last is the primary: a server that comes back as if
 * nothing had happened while it was down is on an earlier timeline.
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
  // Told as what it is where nobody answered: wrong passwords look otherwise.
  if (failures.length === places.length) throw failures[0]
  throw new NoPrimaryError('none of the servers that answered takes writes')
}

/** How often the server's history has branched; null for one that takes no writes. */
async function askTimeline(settings: PrimaryClientConfig, place: Place): Promise<number | null> {
  // The pool keeps the password where copying does not find it.
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
