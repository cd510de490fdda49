import type { Operation } from './driver/operations'
import { median } from './driver/statistics'
import type { Round } from './report'
import { fraction, table, whole } from './table'

/** How much less CPU of its server process Latchkey must use for a request than a yardstick: `times` of its own. */
const ratios: [Operation[], { times: number; than: string }[]][] = [
  [
    ['refresh', 'code'],
    [
      { times: 5, than: 'p2' },
      { times: 9, than: 'p3' },
      { times: 0.75, than: 'p1' },
      { times: 1, than: 'p1' },
    ],
  ],
  [['userinfo', 'introspect'], [{ times: 0.8, than: 'p1' }]],
  [
    ['graphql'],
    [
      { times: 1, than: 'p5y' },
      { times: 1, than: 'p5m' },
    ],
  ],
]

/** Microseconds of CPU of the server process a request, at most. */
const limits: [Operation[], number][] = [
  [['discovery', 'jwks'], 33],
  [['graphql'], 100],
]

/** What a page may weigh and cost. */
const page = { scriptBytes: 60_000, microseconds: 15_000 }

const head = ['goal', 'server CPU', 'throughput', '']
const verdict = (met: boolean) => (met ? 'met' : '**not met**')

/**
 * Which goals an operation reaches. Ratios are medians of the ratios within a round; a goal is judged by the server's CPU,
 * which a busy machine disturbs least, and the throughput stands beside it.
 * @returns a table, or nothing when no goal can be judged by who took part
 */
export function operationGoals(rounds: Round[], subject: string): string {
  const mine = rounds.filter((each) => each.target === subject)
  const operation = mine[0]?.operation
  if (!operation) return ''
  const rows: string[][] = []
  for (const { times, than } of ratios.find(([names]) => names.includes(operation))?.[1] ?? []) {
    const pairs = mine.flatMap((us) =>
      rounds.filter((each) => each.target === than && each.round === us.round).map((them) => ({ us, them })),
    )
    if (pairs.length === 0) continue
    const cpu = median(pairs.map(({ us, them }) => them.cpu.server / us.cpu.server))
    const throughput = median(pairs.map(({ us, them }) => us.rps / them.rps))
    rows.push([
      `${operation}: at least ${times} x ${than}`,
      fraction(cpu),
      fraction(throughput),
      verdict(cpu >= times),
    ])
  }
  const most = limits.find(([names]) => names.includes(operation))?.[1]
  if (most) {
    const cpu = median(mine.map((each) => each.cpu.server))
    rows.push([`${operation}: at most ${most} us`, `${whole(cpu)} us`, '', verdict(cpu <= most)])
  }
  return rows.length ? table(head, rows) : ''
}

/** Which goals the pages reach. @param pages scripts in bytes as sent, CPU in microseconds a visit */
export const pageGoals = (pages: { page: string; js: number; cpu: number }[]): string =>
  table(
    head,
    pages.flatMap(({ page: name, js, cpu }) => [
      [
        `${name}: less than 60 kB of JavaScript`,
        `${fraction(js / 1000, 1)} kB`,
        '',
        verdict(js < page.scriptBytes),
      ],
      [`${name}: less than 15 ms`, `${fraction(cpu / 1000, 1)} ms`, '', verdict(cpu < page.microseconds)],
    ]),
  )
