import { fraction, table, whole } from '@/bench/table'
import type { Capacity } from './estimate'
import type { Asked } from './options'

/** Formats a number. Only numbers below 100 have decimals. */
const amount = (value: number) => (value >= 100 ? whole(value) : fraction(value, value >= 10 ? 1 : 2))

/**
 * Returns the output of `npm run capacity` as Markdown. Each row about a load or stored data names the
 * measured cost that its figures are calculated from.
 */
export function report({ platform }: Asked, capacity: Capacity, measuredOn: string): string {
  const { loads, total, stocks, limits, serverProcesses, connections } = capacity
  const [first] = limits
  return [
    `${whole(platform.users)} users, ${percent(platform.active)} active in the busiest hour, each with ${platform.apps} app${platform.apps === 1 ? '' : 's'}, one API request every ${platform['api-seconds']} s per app; ${amount(platform['sign-ins'])} sign-ins per second.`,
    table(
      ['in the busiest hour', 'per second', 'server cores', 'database cores', 'log MB/s', 'measured cost'],
      [
        ...loads.map(({ name, from, perSecond, serverCores, databaseCores, log }) => [
          name,
          ...[perSecond, serverCores, databaseCores, log / 1e6].map(amount),
          from,
        ]),
        ['all', '', ...[total.serverCores, total.databaseCores, total.log / 1e6].map(amount), 'sum'],
      ],
    ),
    table(
      ['requirement', '', 'calculated from'],
      [
        [
          'server processes',
          whole(serverProcesses),
          `server cores, one per process, ${percent(platform.busy)} busy`,
        ],
        ['connections', whole(connections), `${platform.pool} per process (DATABASE_POOL)`],
        [
          'database cores to provide',
          amount(total.databaseCores / platform.busy),
          `database cores, ${percent(platform.busy)} busy`,
        ],
        ['commits per second', amount(total.commits), 'at least one per refresh and sign-in'],
      ],
    ),
    table(
      ['stored data', 'rows', 'GB', 'measured cost'],
      stocks.map(({ name, rows, bytes, from }) => [name, whole(rows), amount(bytes / 1e9), from]),
    ),
    table(
      ['limit', 'used', 'allowed', 'share', 'solution'],
      limits.map(({ name, taken, allowed, unit, helps }) => [
        name,
        `${amount(taken)} ${unit}`,
        amount(allowed),
        percent(taken / allowed),
        helps,
      ]),
    ),
    first && sentence(first),
    `Measured on: ${measuredOn}`,
  ].join('\n\n')
}

export const sizeHead = [
  'users',
  'server processes',
  'connections',
  'database cores to provide',
  'commits per second',
]

/** Returns the row of a platform in `npm run capacity -- sizes`. */
export const sizeRow = ({ platform }: Asked, { total, serverProcesses, connections }: Capacity): string[] => [
  whole(platform.users),
  whole(serverProcesses),
  whole(connections),
  amount(total.databaseCores / platform.busy),
  amount(total.commits),
]

function sentence({ name, taken, allowed, helps }: Capacity['limits'][number]): string {
  const share = taken / allowed
  return share > 1
    ? `**First bottleneck: ${name}**, ${amount(share)} times the limit. Solution: ${helps}.`
    : `**First bottleneck: ${name}**, at ${amount(1 / share)} times this load. Solution: ${helps}.`
}

const percent = (share: number) => `${Number((share * 100).toPrecision(3)).toLocaleString('en-US')} %`
