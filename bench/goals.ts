import type { SignInCosts } from './machine/costs-file'
import { type Operation, operationsCalled } from './operations/operations'
import { type Round, ratios } from './report'
import { fraction, table } from './table'

/**
 * A goal for CPU per request: the target named in `than` must use at least `times` times as much CPU as
 * Latchkey. If `of` is omitted, the goal compares the CPU of the servers. See ADR 0003.
 */
type Goal = { times: number; than: string; of?: 'server' | 'database' }

/**
 * The target Ory Hydra. Hydra and the bare statement (p0) exist only in the peer kit. This benchmark cannot
 * measure them.
 */
const hydra = 'hydra'
const oneStatement: Goal = { times: 1 / 1.2, than: 'p0', of: 'database' }
/** The target name of the commit that was measured when the goals were set. */
const baseline = 'latchkey@2e380618c3'
const half: Goal[] = [{ times: 2, than: baseline }]
const documents: Goal[] = [{ times: 90 / 50, than: 'p1' }]

/** The goals by operation. A goal applies to web apps and native apps, with any signing algorithm. */
const goals: Record<string, Goal[]> = {
  refresh: [{ times: 3, than: hydra }, { times: 0.6, than: 'p1' }, oneStatement],
  code: [{ times: 4, than: hydra }, { times: 0.65, than: 'p1' }, oneStatement],
  userinfo: [
    { times: 4, than: hydra },
    { times: 1.5, than: 'p1' },
  ],
  introspect: [
    { times: 3, than: hydra },
    { times: 1.1, than: 'p1' },
  ],
  'graphql-me': [
    { times: 1 / 0.6, than: 'p5y' },
    { times: 1, than: 'p5m' },
  ],
  'graphql-page': half,
  'graphql-agent': half,
  'graphql-fragments': half,
  'graphql-members': half,
  'graphql-mutation': half,
  discovery: documents,
  jwks: documents,
}

const goalsOf = (operation: Operation): Goal[] =>
  Object.entries(goals).find(([name]) => operationsCalled(name).includes(operation))?.[1] ?? []

/**
 * The maximum CPU times of a first sign-in, in microseconds. `server` does not include the password hash.
 * `consent` is the server's CPU time for the request that sends the user's consent.
 */
const signIn = { server: 20_000, database: 6_000, consent: 3_000 }

/**
 * The goals of the memory mode: the maximum memory at rest in megabytes, and the maximum factor by which
 * memory use grows between the first tenth and the end of the load.
 */
const memory = { megabytes: 180, growth: 1.1 }

/**
 * The limits of a page: its transferred scripts in bytes, and server CPU per visit in microseconds. Values
 * must be lower.
 */
const page = { scriptBytes: 15_000, microseconds: 15_000 }

/** The number of workspaces and projects on the long consent page. */
export const choices = 400
export const longConsent = `consent with ${choices} choices`
/** The CPU goals of pages with more content, in microseconds, by page name. */
const costlier: Record<string, number> = { [longConsent]: 25_000 }

/** The header row of a goals table. */
export const goalHead = ['goal', 'measured', '']
export const notMeasured = 'not measured here'
const verdict = (met: boolean) => (met ? 'met' : '**missed**')

const bound = (goal: string, measured: number, most: number, unit: string) => [
  `${goal}: at most ${most} ${unit}`.trim(),
  `${fraction(measured, unit ? 1 : 2)} ${unit}`.trim(),
  verdict(measured <= most),
]

/**
 * Returns a table that compares an operation with its goals by CPU per request. A busy machine affects this
 * value less than throughput or response times.
 * @returns an empty string if the subject, or every target named in the goals, was not measured
 */
export function operationGoals(rounds: Round[], subject: string): string {
  const operation = rounds.find((each) => each.target === subject)?.operation
  if (!operation) return ''
  const measured = new Set(rounds.map(({ target }) => target))
  const wanted = goalsOf(operation)
  if (!wanted.some(({ than }) => measured.has(than))) return ''
  const rows = wanted.map(({ times, than, of = 'server' }) => {
    const goal = `${operation}: at least ${fraction(times)} x ${than}, CPU of the ${of}`
    if (!measured.has(than)) return [goal, '', notMeasured]
    const { cpu } = ratios(rounds, subject, than, (each) => each.cpu[of])
    return [goal, fraction(cpu), verdict(cpu >= times)]
  })
  return table(goalHead, rows)
}

/**
 * Returns a table that compares a first sign-in with its goals. @param passwordHash one hash's CPU time in
 * microseconds
 */
export function signInGoals({ steps, whole }: SignInCosts, passwordHash: number): string {
  const consent = steps.find(({ name }) => name === 'consent sent')?.server ?? Number.NaN
  const milliseconds = ([goal, measured, most]: [string, number, number]) =>
    bound(goal, measured / 1000, most / 1000, 'ms')
  return table(
    goalHead,
    (
      [
        ['first sign-in, server without the password hash', whole.server - passwordHash, signIn.server],
        ['first sign-in, database', whole.database, signIn.database],
        ['consent sent, server', consent, signIn.consent],
      ] as [string, number, number][]
    ).map(milliseconds),
  )
}

/**
 * Returns a table that compares memory use with its goals.
 * @param rest the resident memory at rest, in MiB
 * @param steps the resident memory after each tenth of the load, in MiB
 */
export const memoryGoals = (rest: number, steps: number[]): string =>
  table(goalHead, [
    bound('memory after start', rest * 1.048576, memory.megabytes, 'MB'),
    bound(
      'memory after the load, divided by memory after its first tenth',
      (steps.at(-1) ?? Number.NaN) / (steps[0] ?? Number.NaN),
      memory.growth,
      '',
    ),
  ])

/**
 * Returns a table that compares the pages with their goals.
 * @param pages for each page, the transferred scripts in bytes (`js`) and the server's CPU per visit in
 * microseconds (`cpu`)
 */
export const pageGoals = (pages: { page: string; js: number; cpu: number }[]): string =>
  table(
    goalHead,
    pages.flatMap(({ page: name, js, cpu }) => {
      const microseconds = costlier[name] ?? page.microseconds
      return [
        [
          `${name}: less than ${page.scriptBytes / 1000} kB of JavaScript`,
          `${fraction(js / 1000, 1)} kB`,
          verdict(js < page.scriptBytes),
        ],
        [
          `${name}: less than ${microseconds / 1000} ms`,
          `${fraction(cpu / 1000, 1)} ms`,
          verdict(cpu < microseconds),
        ],
      ]
    }),
  )
