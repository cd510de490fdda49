import { type Operation, operationsCalled } from './operations/operations'
import { type Round, ratios } from './report'
import { fraction, table } from './table'

/**
 * How much less CPU per request Latchkey must use than a yardstick, server and database together. See ADR
 * 0003.
 */
type Goal = { times: number; than: string }

/** Applies to web apps and native apps with any algorithm. */
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

/** The goals of a page: script in bytes as sent, and server CPU in microseconds per visit. */
const page = { scriptBytes: 15_000, microseconds: 15_000 }

/** The number of workspaces and projects of a user with many, for the page that lists them. */
export const choices = 400
export const longConsent = `consent with ${choices} choices`
/** Pages with more content and a higher goal. */
const costlier: Record<string, number> = { [longConsent]: 25_000 }

const head = ['goal', 'CPU', 'throughput', '']
const verdict = (met: boolean) => (met ? 'met' : '**not met**')

/**
 * Compares an operation with its goals. It compares CPU, which a busy machine affects least, of server and
 * database together, so that moving work into the database saves nothing.
 * @returns a table; empty if no target allows a comparison
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

/**
 * Compares the pages with their goals. @param pages scripts in bytes as sent, CPU in microseconds per visit
 */
export const pageGoals = (pages: { page: string; js: number; cpu: number }[]): string =>
  table(
    head,
    pages.flatMap(({ page: name, js, cpu }) => {
      const microseconds = costlier[name] ?? page.microseconds
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
