import { type Operation, operationsCalled } from './operations/operations'
import { type Round, ratios } from './report'
import { fraction, table } from './table'

/** How much less CPU a request Latchkey must use than a yardstick, server and database together: `times` of its own. See ADR 0003. */
type Goal = { times: number; than: string }

/** Web app and native app alike, whatever the algorithm. */
const goals: Record<string, Goal[]> = {
  refresh: [
    { times: 5, than: 'p2' },
    { times: 8, than: 'p3' },
    { times: 0.65, than: 'p1' },
  ],
  code: [
    { times: 5, than: 'p2' },
    { times: 8, than: 'p3' },
    { times: 0.85, than: 'p1' },
  ],
  userinfo: [{ times: 1, than: 'p1' }],
  introspect: [{ times: 1, than: 'p1' }],
  'graphql-me': [
    { times: 1, than: 'p5y' },
    { times: 1, than: 'p5m' },
  ],
}

const goalsOf = (operation: Operation): Goal[] =>
  Object.entries(goals).find(([name]) => operationsCalled(name).includes(operation))?.[1] ?? []

/** What a page may weigh, in bytes of script as sent, and cost the server, in microseconds a visit. */
const page = { scriptBytes: 15_000, microseconds: 15_000 }

/** How many workspaces and projects somebody with a lot has to choose from, and the page that shows them. */
export const choices = 400
export const longConsent = `consent with ${choices} choices`
/** What costs more because it shows more. */
const dearer: Record<string, number> = { [longConsent]: 25_000 }

const head = ['goal', 'CPU', 'throughput', '']
const verdict = (met: boolean) => (met ? 'met' : '**not met**')

/**
 * Which goals an operation reaches. A goal is judged by CPU, which a busy machine disturbs least, and by that of both
 * sides, so that work moved into the database is not work saved; the throughput stands beside it.
 * @returns a table, or nothing when no goal can be judged by who took part
 */
export function operationGoals(rounds: Round[], subject: string): string {
  const operation = rounds.find((each) => each.target === subject)?.operation
  if (!operation) return ''
  const rows = goalsOf(operation)
    .filter(({ than }) => rounds.some((each) => each.target === than))
    .map(({ times, than }) => {
      const { cpu, throughput } = ratios(rounds, subject, than)
      const goal = `${operation}: at least ${times} x ${than}`
      return [goal, fraction(cpu), fraction(throughput), verdict(cpu >= times)]
    })
  return rows.length ? table(head, rows) : ''
}

/** Which goals the pages reach. @param pages scripts in bytes as sent, CPU in microseconds a visit */
export const pageGoals = (pages: { page: string; js: number; cpu: number }[]): string =>
  table(
    head,
    pages.flatMap(({ page: name, js, cpu }) => {
      const microseconds = dearer[name] ?? page.microseconds
      return [
        [
          `${name}: less than ${page.scriptBytes / 1000} kB of JavaScript`,
          `${fraction(js / 1000, 1)} kB`,
          '',
          verdict(js < page.scriptBytes),
        ],
        [
          `${name}: less than ${microseconds / 1000} ms`,
          `${fraction(cpu / 1000, 1)} ms`,
          '',
          verdict(cpu < microseconds),
        ],
      ]
    }),
  )
