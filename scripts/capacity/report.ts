import { fraction, table, whole } from '@/bench/table'
import type { Asked } from './options'
import type { Capacity } from './reckon'

/** Few digits of a small number, none of a large one. */
const amount = (value: number) => (value >= 100 ? whole(value) : fraction(value, value >= 10 ? 1 : 2))

/** What `npm run capacity` prints: Markdown, each figure beside the measured cost that it comes from. */
export function report({ platform }: Asked, capacity: Capacity, measuredOn: string): string {
  const { loads, total, stocks, limits, serverProcesses, connections } = capacity
  const [first] = limits
  return [
    `${whole(platform.people)} people, ${percent(platform.active)} active in the busiest hour, each in ${platform.apps} app${platform.apps === 1 ? '' : 's'} that ${platform.apps === 1 ? 'asks' : 'ask'} something every ${platform['api-seconds']} s; ${amount(platform['sign-ins'])} people a second sign in.`,
    table(
      ['in the busiest hour', 'a second', 'server cores', 'database cores', 'log MB/s', 'reckoned from'],
      [
        ...loads.map(({ name, from, perSecond, serverCores, databaseCores, log }) => [
          name,
          ...[perSecond, serverCores, databaseCores, log / 1e6].map(amount),
          from,
        ]),
        [
          'all',
          '',
          ...[total.serverCores, total.databaseCores, total.log / 1e6].map(amount),
          'the rows above',
        ],
      ],
    ),
    table(
      ['what it takes', '', 'reckoned from'],
      [
        [
          'server processes',
          whole(serverProcesses),
          `server cores, each process one, ${percent(platform.busy)} busy`,
        ],
        ['connections', whole(connections), `${platform.pool} each (DATABASE_POOL)`],
        [
          'database cores to have',
          amount(total.databaseCores / platform.busy),
          `database cores, ${percent(platform.busy)} busy`,
        ],
        ['commits a second', amount(total.commits), 'one each refresh and sign-in, at the least'],
      ],
    ),
    table(
      ['what is stored', 'rows', 'GB', 'bytes of a row from'],
      stocks.map(({ name, rows, bytes, from }) => [name, whole(rows), amount(bytes / 1e9), from]),
    ),
    table(
      ['limit', 'taken', 'allowed', 'share', 'when it is reached'],
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
  'people',
  'server processes',
  'connections',
  'database cores to have',
  'commits a second',
]

/** A platform in one row of `npm run capacity -- sizes`. */
export const sizeRow = ({ platform }: Asked, { total, serverProcesses, connections }: Capacity): string[] => [
  whole(platform.people),
  whole(serverProcesses),
  whole(connections),
  amount(total.databaseCores / platform.busy),
  amount(total.commits),
]

function sentence({ name, taken, allowed, helps }: Capacity['limits'][number]): string {
  const share = taken / allowed
  return share > 1
    ? `**First bottleneck: ${name}**, ${amount(share)} times what is allowed. What helps: ${helps}.`
    : `**First bottleneck: ${name}**, at ${amount(1 / share)} times this load. Then: ${helps}.`
}

const percent = (share: number) => `${Number((share * 100).toPrecision(3)).toLocaleString('en-US')} %`
