import { parseArgs } from 'node:util'

/** An option that describes a platform or its machines. */
type Question = { fallback: number; least: number; most?: number; says: string }

const whole = Number.MAX_SAFE_INTEGER

/** The options that accept a number, with their defaults, limits, and descriptions. */
const questions = {
  users: { fallback: 10_000_000, least: 1, most: whole, says: 'users' },
  active: { fallback: 0.1, least: 0, most: 1, says: 'share of users who are active in the busiest hour' },
  apps: { fallback: 1, least: 0, most: 1_000, says: 'apps that each active user uses at a time' },
  'api-seconds': {
    fallback: 10,
    least: 0.001,
    most: whole,
    says: 'seconds between two API requests of an app for a user',
  },
  'sign-ins': { fallback: 10, least: 0, most: whole, says: 'first sign-ins per second in that hour' },
  average: {
    fallback: 0.35,
    least: 0.001,
    most: 1,
    says: 'load of an average hour, as a share of the busiest',
  },
  busy: { fallback: 0.6, least: 0.05, most: 1, says: 'target load of a processor' },
  'database-cores': {
    fallback: 32,
    least: 1,
    most: 1_024,
    says: 'processors of the largest available database server',
  },
  'max-connections': { fallback: 100, least: 1, most: 100_000, says: 'connections that PostgreSQL allows' },
  pool: { fallback: 10, least: 1, most: 200, says: 'DATABASE_POOL of each server process' },
  'log-mb': {
    fallback: 200,
    least: 0.1,
    most: 100_000,
    says: 'megabytes of write-ahead log that its disk can write per second',
  },
  'disk-gb': { fallback: 1_000, least: 1, most: whole, says: 'gigabytes of its disk' },
} satisfies Record<string, Question>

type Platform = Record<keyof typeof questions, number>

/** The measured API requests. The option `--api` selects the one that apps send repeatedly. */
const apiOperations = ['graphql-me', 'graphql-page', 'userinfo-native', 'introspect-web'] as const
/**
 * The measured kinds of refreshes. `refresh-native` returns a new refresh token each time, and
 * `refresh-web-kept` keeps the refresh token.
 */
const refreshOperations = ['refresh-native', 'refresh-web-kept'] as const

export type Asked = {
  platform: Platform
  api: (typeof apiOperations)[number]
  refresh: (typeof refreshOperations)[number]
  costs: string
}

const names = Object.keys(questions) as (keyof Platform)[]

export const usage = `npm run capacity -- [options]   calculates what a platform needs, from measured costs
npm run capacity -- costs       prints those costs; sign-in: those of a first sign-in
npm run capacity -- sizes       compares three platforms
npm run capacity -- --write     updates the pages that contain this output

${names.map((name) => `  --${name.padEnd(17)} ${questions[name].says} (${questions[name].fallback})`).join('\n')}
  --api               API request of an app: ${apiOperations.join(', ')} (${apiOperations[0]})
  --refresh           refresh of an app: ${refreshOperations.join(', ')} (${refreshOperations[0]})
  --costs             measured costs (docs/performance/costs.json); npm run bench -- costs --json FILE measures your machine`

/**
 * Parses the arguments.
 * @returns undefined for `--help`
 * @throws Error for an unknown option or an invalid value
 */
export function readQuestion(words: string[]): Asked | undefined {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: words,
    options: {
      ...Object.fromEntries(names.map((name) => [name, text])),
      ...{ api: text, refresh: text, costs: text, help: { type: 'boolean' } },
    } as Record<string, { type: 'string' | 'boolean' }>,
  })
  if (values.help) return undefined
  const platform = Object.fromEntries(names.map((name) => [name, readNumber(name, values[name])])) as Platform
  return {
    platform,
    api: readChoice('api', apiOperations, values.api),
    refresh: readChoice('refresh', refreshOperations, values.refresh),
    costs: String(values.costs ?? 'docs/performance/costs.json'),
  }
}

function readNumber(name: keyof Platform, typed: unknown): number {
  const { fallback, least, most }: Required<Question> = questions[name]
  if (typed === undefined) return fallback
  const value = String(typed).trim() === '' ? Number.NaN : Number(typed)
  if (!(value >= least && value <= most)) {
    const upTo = most === whole ? '' : ` and at most ${most}`
    throw new Error(`--${name} must be a number of at least ${least}${upTo}, not "${typed}".`)
  }
  return value
}

function readChoice<Name extends string>(option: string, names: readonly Name[], typed: unknown): Name {
  const found = names.find((name) => name === (typed ?? names[0]))
  if (found === undefined) throw new Error(`--${option} must be one of ${names.join(', ')}, not "${typed}".`)
  return found
}
