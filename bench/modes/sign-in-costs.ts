import { hashPassword } from '@/lib/base/credentials/password'
import { median } from '../driver/statistics'
import type { SignInCosts } from '../machine/costs-file'
import { countingPath } from '../machine/counting-path'
import { type BenchDatabase, query } from '../machine/database'
import { type Written, written } from '../machine/written'
import { beginJourney, firstSignIn, password } from '../operations/first-sign-in'
import { basePort, type Options } from '../options'
import { startLatchkey } from '../targets/latchkey'
import type { Target } from '../targets/target'

/** The number of users who sign in to count statements. */
const COUNTED = 20
/** The number of users who sign in to warm up the server. */
const WARM_UP = 100
/** The number of users who sign in during each round. */
const ROUND = 120
/**
 * The number of concurrent sign-ins. It is greater than one, so that the server's threads hash several
 * passwords concurrently.
 */
const LANES = 4

type Clocks = { server: number; database: number }
type Round = { steps: Clocks[] } & Written

/**
 * Signs many users in to an app for the first time. In each round, all users complete a step before the next
 * step begins.
 * @returns the costs of a sign-in, and the CPU time of one password hash in microseconds
 */
export async function measureSignIn(
  options: Options,
  database: BenchDatabase,
): Promise<{ signIn: SignInCosts; passwordHash: number }> {
  const databaseUrl = await database.create('sign_in')
  const start = (url: string) =>
    startLatchkey({
      ...options,
      port: basePort,
      databaseUrl: url,
      env: { TRUST_PROXY: '1', LOG_LEVEL: 'error' },
    })
  const path = await countingPath(databaseUrl)
  let next = 1
  let target = await start(path.url)
  let statements: number[]
  try {
    await givePasswords(databaseUrl)
    statements = await walk(target, next, COUNTED, path.statements)
    next += COUNTED
  } finally {
    await target.server.stop()
    path.close()
  }
  target = await start(databaseUrl)
  try {
    await walk(target, next, WARM_UP, () => 0)
    next += WARM_UP
    const rounds: Round[] = []
    for (let round = 0; round < options.rounds; round++, next += ROUND) {
      const before = await written(databaseUrl)
      const server = await clocked(target, next, database)
      const { log } = await written(databaseUrl)
      await query(databaseUrl, 'VACUUM')
      const { stored } = await written(databaseUrl)
      rounds.push({
        steps: server,
        log: (log - before.log) / ROUND,
        stored: (stored - before.stored) / ROUND,
      })
      console.error(`sign-in: round ${round + 1}`)
    }
    return { signIn: sum(rounds, statements), passwordHash: await hashCost() }
  } finally {
    await target.server.stop()
  }
}

/**
 * Gives every user the same password, and deletes all authorizations, so that each user's next sign-in to the
 * app is a first sign-in.
 */
async function givePasswords(databaseUrl: string): Promise<void> {
  const hash = await hashPassword(password)
  await query(
    databaseUrl,
    `UPDATE users SET password_hash = '${hash}'; DELETE FROM authorizations; ANALYZE users`,
  )
}

/**
 * Warms the server up with complete first sign-ins of some users, and takes other users through the steps
 * before `step`.
 * @returns a function that takes the other users through `step`, and returns the server's CPU time per user
 * in microseconds
 * @throws Error if there is no such step
 */
export async function prepareStep(
  target: Target,
  databaseUrl: string,
  step: string,
): Promise<() => Promise<number>> {
  await givePasswords(databaseUrl)
  await walk(target, 1, WARM_UP, () => 0)
  const journeys = Array.from({ length: 2 * ROUND }, (_, i) => beginJourney(target, 1 + WARM_UP + i))
  for (const { name, go } of firstSignIn) {
    if (name === step) {
      return async () => {
        const before = target.server.cpu()
        await inLanes(journeys, go)
        return ((target.server.cpu() - before) * 1e6) / journeys.length
      }
    }
    await inLanes(journeys, go)
  }
  throw new Error(`A sign-in has no step "${step}".`)
}

/** Takes users through all steps. @returns the counter's increase per user, for each step */
async function walk(target: Target, first: number, users: number, counter: () => number): Promise<number[]> {
  const journeys = Array.from({ length: users }, (_, i) => beginJourney(target, first + i))
  const rose: number[] = []
  for (const { go } of firstSignIn) {
    const before = counter()
    await inLanes(journeys, go)
    rose.push((counter() - before) / users)
  }
  return rose
}

async function clocked(target: Target, first: number, database: BenchDatabase): Promise<Clocks[]> {
  const journeys = Array.from({ length: ROUND }, (_, i) => beginJourney(target, first + i))
  const steps: Clocks[] = []
  for (const { go } of firstSignIn) {
    const before = { server: target.server.cpu(), database: database.cpu() }
    await inLanes(journeys, go)
    const used = (now: number, then: number) => ((now - then) * 1e6) / ROUND
    steps.push({
      server: used(target.server.cpu(), before.server),
      database: used(database.cpu(), before.database),
    })
  }
  return steps
}

/** Returns the average CPU time of one password hash in microseconds. */
async function hashCost(): Promise<number> {
  const hashes = 10
  const before = process.cpuUsage()
  for (let i = 0; i < hashes; i++) await hashPassword(password)
  const { user, system } = process.cpuUsage(before)
  return Math.round((user + system) / hashes)
}

async function inLanes<T>(all: T[], work: (each: T) => Promise<void>): Promise<void> {
  const waiting = [...all]
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) await work(each)
    }),
  )
}

function sum(rounds: Round[], statements: number[]): SignInCosts {
  const steps = firstSignIn.map(({ name }, i) => ({
    name,
    server: Math.round(median(rounds.map((round) => round.steps[i]?.server ?? 0))),
    database: Math.round(median(rounds.map((round) => round.steps[i]?.database ?? 0))),
    statements: statements[i] ?? 0,
  }))
  const total = (what: 'server' | 'database' | 'statements') =>
    steps.reduce((all, each) => all + each[what], 0)
  const of = (what: keyof Written) => Math.round(median(rounds.map((round) => round[what])))
  return {
    steps,
    whole: {
      server: total('server'),
      database: total('database'),
      statements: total('statements'),
      log: of('log'),
      stored: of('stored'),
    },
  }
}
