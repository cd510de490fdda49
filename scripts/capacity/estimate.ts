import type { Costs } from '@/bench/machine/costs-file'
import type { Asked } from './options'

/** One kind of load in the busiest hour. */
type Load = {
  name: string
  /** The name of the measured cost that the load is calculated from. */
  from: string
  perSecond: number
  serverCores: number
  databaseCores: number
  /** Bytes of write-ahead log per second. */
  log: number
  /** Whether each request commits a write transaction. */
  writes: boolean
}

/** Stored rows of one kind, with their number and total size at an average load. */
type Stock = { name: string; rows: number; bytes: number; from: string }

/** A limit of the platform, and how much of it is used. */
type Limit = { name: string; taken: number; allowed: number; unit: string; helps: string }

export type Capacity = {
  loads: Load[]
  total: Pick<Load, 'serverCores' | 'databaseCores' | 'log'> & { commits: number }
  serverProcesses: number
  connections: number
  stocks: Stock[]
  /** The limits, starting with the most used one. */
  limits: Limit[]
}

const day = 86_400

/**
 * The lifetime of an access token, the time for which expired access tokens are kept, and the average time
 * for which used refresh tokens are kept, in seconds (lib/edges/oauth/protocol/security-profile.ts,
 * lib/features/apps/remove-stale.ts, and lib/features/apps/authorizations/used-tables.ts).
 */
export const seconds = { accessToken: 3600, pastTheEnd: day, usedRefreshToken: 33.5 * day }

/**
 * A server process runs its JavaScript on one processor. Password hashing and compression run in other
 * threads and can use other processors.
 */
const coresOfAProcess = 1

/**
 * The number of rows that a refresh with a new refresh token stores: an access token and the used refresh
 * token.
 */
const rowsOfARefresh = 2

/**
 * Estimates the load of a platform, the resources that it requires, and its use of each limit.
 * @param costs the measured cost of each request
 * @throws Error if a required cost was not measured
 */
export function estimate({ platform, api, refresh }: Asked, costs: Costs): Capacity {
  const sessions = platform.users * platform.active * platform.apps
  const loads = [
    load('refreshes', refresh, sessions / seconds.accessToken, costOf(costs, refresh), true),
    load('first sign-ins', 'first sign-in', platform['sign-ins'], costs.signIn.whole, true),
    load('API requests', api, sessions / platform['api-seconds'], costOf(costs, api), false),
  ]
  const sum = (what: 'serverCores' | 'databaseCores' | 'log') =>
    loads.reduce((all, each) => all + each[what], 0)
  const total = {
    serverCores: sum('serverCores'),
    databaseCores: sum('databaseCores'),
    log: sum('log'),
    commits: loads.reduce((all, each) => all + (each.writes ? each.perSecond : 0), 0),
  }
  const serverProcesses = Math.max(1, Math.ceil(total.serverCores / (coresOfAProcess * platform.busy)))
  const connections = serverProcesses * platform.pool
  const stocks = stocksOf({ platform, refresh }, costs, loads[0] as Load)
  const taken = { total, connections, stored: stocks.reduce((all, each) => all + each.bytes, 0) }
  return { loads, total, serverProcesses, connections, stocks, limits: limitsOf(platform, taken) }
}

function costOf(costs: Costs, operation: string): Cost {
  const cost = costs.operations[operation]
  if (!cost)
    throw new Error(
      `The cost of ${operation} was not measured. Measure it with npm run bench -- costs --json FILE.`,
    )
  return cost
}

type Cost = { server: number; database: number; log: number; stored: number }

const load = (name: string, from: string, perSecond: number, cost: Cost, writes: boolean): Load => ({
  ...{ name, from, perSecond, writes },
  serverCores: (perSecond * cost.server) / 1e6,
  databaseCores: (perSecond * cost.database) / 1e6,
  log: perSecond * cost.log,
})

function stocksOf(
  { platform, refresh }: Pick<Asked, 'platform' | 'refresh'>,
  costs: Costs,
  refreshes: Load,
): Stock[] {
  const average = refreshes.perSecond * platform.average
  const rotates = refresh === 'refresh-native'
  const rowBytes = costOf(costs, 'refresh-native').stored / rowsOfARefresh
  const stock = (name: string, rows: number, bytes: number, from: string) => ({
    name,
    rows,
    bytes: rows * bytes,
    from,
  })
  return [
    stock('access tokens', average * (seconds.accessToken + seconds.pastTheEnd), rowBytes, 'refresh-native'),
    stock(
      'used refresh tokens',
      rotates ? average * seconds.usedRefreshToken : 0,
      rowBytes,
      'refresh-native',
    ),
    stock(
      'users who signed in, with session, authorization, and tokens',
      platform.users * Math.max(1, platform.apps),
      costs.signIn.whole.stored,
      'first sign-in',
    ),
  ]
}

function limitsOf(
  platform: Asked['platform'],
  { total, connections, stored }: { total: Capacity['total']; connections: number; stored: number },
): Limit[] {
  const cores = platform['database-cores'] * platform.busy
  const limits: Limit[] = [
    {
      name: 'connections of PostgreSQL',
      ...{ taken: connections, allowed: platform['max-connections'], unit: 'connections' },
      helps: 'PgBouncer (step 2)',
    },
    {
      name: 'processors of the database',
      ...{ taken: total.databaseCores, allowed: cores, unit: 'cores' },
      helps: 'a larger database server, then Citus (step 4)',
    },
    {
      name: 'write-ahead log',
      ...{ taken: total.log / 1e6, allowed: platform['log-mb'], unit: 'MB/s' },
      helps: 'Citus (step 4)',
    },
    {
      name: 'disk',
      ...{ taken: stored / 1e9, allowed: platform['disk-gb'], unit: 'GB' },
      helps: 'a larger disk (step 3)',
    },
  ]
  return limits.sort((one, other) => other.taken / other.allowed - one.taken / one.allowed)
}
