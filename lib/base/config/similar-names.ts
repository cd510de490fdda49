import { ConfigError } from './checks'
import { instanceKeys, instanceKeysOf, upperSnakeCase } from './instance-settings'

/** A variable whose name is probably a misspelled setting, and the setting that was probably meant. */
type Mistake = { name: string; meant: string }

/**
 * Variables that are no longer read, by name, with a sentence of advice or explanation for instance admins.
 */
type Removed = Readonly<Record<string, string>>

/**
 * Removed variables that prevent the server from starting, because ignoring them could make the instance less
 * secure or prevent it from working.
 */
const refused: Removed = {
  ASK_FIRST: 'Use REQUIRE_APPROVAL.',
  SECOND_FACTOR: 'Use REQUIRE_TWO_FACTOR with none, instance-admins or all.',
  SESSION_IDLE_DAYS:
    'Unused sessions end after half of sessionDays. Set that in the console or in LATCHKEY_SETTINGS.',
  REFRESH_TOKEN_IDLE_DAYS:
    'Unused refresh tokens end after half of refreshTokenDays. Set that in the console or in LATCHKEY_SETTINGS.',
  DATABASE_PREPARED: 'If it was 0, add the parameter pgbouncer=true to DATABASE_URL.',
  METRICS_HOST: 'Set METRICS_PORT to the address and the port, such as 0.0.0.0:9464.',
  ADMIN_PASSWORD: 'Use ADMIN_PASSWORD_FILE.',
  LOG_ADDRESSES: 'The log always contains the networks of clients, never their full addresses.',
}

/** Removed variables that have no effect. The server logs them at startup. */
const ignored: Removed = {
  DATABASE_REPLICA_URL: 'Servers do not read from standbys.',
  DNS_SERVERS: 'The name servers of the system are used.',
  LOG_FORMAT: 'The log is JSON unless it goes to a terminal.',
  OIDC_ID_TOKEN_ALG: 'The provider’s metadata determines the algorithm.',
  REGISTRATION_BURST: 'The limit is fixed at 60.',
  REGISTRATION_PER_HOUR: 'The limit is fixed at 20 per hour.',
  ...Object.fromEntries(
    [
      ...['GRAPHQL_MAX_DEPTH', 'GRAPHQL_MAX_ALIASES', 'GRAPHQL_MAX_COST', 'GRAPHQL_MAX_ANSWER'],
      ...['GRAPHQL_TIMEOUT_MS', 'GRAPHQL_SUBSCRIPTIONS', 'GRAPHQL_ANONYMOUS_PER_MINUTE'],
    ].map((name) => [name, 'The limit is fixed. See /docs/limits.']),
  ),
}

/** The instance settings by the names of their former variables. */
const formerVariables = new Map(instanceKeys.map((key) => [upperSnakeCase(key), key]))

/**
 * Returns the advice for a removed variable, and whether the variable prevents the server from starting. A
 * former variable for an instance setting prevents a start, except RESTORE_DAYS and the branding variables,
 * whose names other programs also use. Returns undefined for any other name.
 */
function replacementOf(name: string): { advice: string; refuses: boolean } | undefined {
  const advice = refused[name] ?? ignored[name]
  if (advice !== undefined) return { advice, refuses: name in refused }
  const key = formerVariables.get(name)
  if (key === undefined) return undefined
  const harmless: string[] = [...instanceKeysOf('branding'), 'restoreDays']
  return {
    advice: `Set ${key} in the console or in LATCHKEY_SETTINGS.`,
    refuses: !harmless.includes(key),
  }
}

type Env = Readonly<Record<string, string | undefined>>

const isSetIn = (env: Env, name: string) => (env[name] ?? '').trim() !== ''

const removedIn = (env: Env, known: readonly string[]) =>
  Object.keys(env).flatMap((name) => {
    const removed = known.includes(name) || !isSetIn(env, name) ? undefined : replacementOf(name)
    return removed ? [{ name, ...removed }] : []
  })

/**
 * Rejects misspelled settings, and removed settings that are unsafe to ignore.
 * @param known the names of all environment variables that the server reads
 * @throws ConfigError that names the variable and the fix
 */
export function refuseUnknownNames(env: Env, known: readonly string[]): void {
  const removed = removedIn(env, known).find(({ refuses }) => refuses)
  if (removed) throw new ConfigError(`${removed.name} is no longer a setting. ${removed.advice}`)
  const mistake = findMisspelledSetting(env, known)
  if (!mistake) return
  const { name, meant } = mistake
  throw new ConfigError(
    `${name} is not a setting; did you mean ${meant}? Rename the variable, or remove it from the environment of this process.`,
  )
}

/**
 * Returns a message for each variable in `env` that has a value, used to be a setting, and no longer has an
 * effect.
 */
export const removedVariables = (env: Env, known: readonly string[]): string[] =>
  removedIn(env, known).map(({ name, advice }) => `${name} is no longer a setting. ${advice}`)

/** Names that resemble a setting but belong to other programs. */
const foreignNames = new Set([
  'CLIENT_ID',
  'CLIENT_SECRET',
  'DIRECT_URL',
  'MAX_DEPTH',
  'NODE_ENV',
  'PER_HOUR',
  'PER_MINUTE',
  'TIMEOUT_MS',
])

/**
 * The minimum length of a setting's name whose misspellings are detected. Shorter names, such as PORT,
 * resemble too many other variables.
 */
const shortestName = 6

/**
 * Finds a variable that is probably a misspelled setting, so that a typo does not silently disable a feature.
 * The search ignores case. Variables of other programs must be accepted, so a variable matches a setting only
 * in these cases:
 * - The names have the same number of words, with at most one mistyped letter per word. In total, at most two
 * letters are mistyped, or one if the setting's name has fewer than ten characters.
 * - Only the underscores differ.
 * - The first words of the setting's name are missing. The remaining name has at least two words and eight
 * characters, and only one setting's name ends with it.
 * - The variable's name is the setting's name with the prefix `LATCHKEY_`.
 *
 * If the setting itself also has a value, the similar variable is assumed to belong to another program.
 * @param env variables by name
 * @param known the names of all environment variables that the server reads
 */
export function findMisspelledSetting(env: Env, known: readonly string[]): Mistake | undefined {
  const isSet = (name: string) => isSetIn(env, name)
  const settings = new Set(known)
  for (const name of Object.keys(env)) {
    if (settings.has(name) || foreignNames.has(name) || !isSet(name) || replacementOf(name)) continue
    const meant = closestSetting(name, known)
    if (meant !== undefined && !isSet(meant)) return { name, meant }
  }
  return undefined
}

/**
 * Returns the setting that was probably meant. Returns undefined if no name is similar, or if `name` could be
 * the end of several settings' names.
 */
function closestSetting(name: string, known: readonly string[]): string | undefined {
  const long = known.filter((each) => each.length >= shortestName)
  const upper = name.toUpperCase()
  const whole = long.find((each) => upper === each || upper === `LATCHKEY_${each}`)
  if (whole !== undefined) return whole
  const [typo] = long
    .map((each) => ({ each, apart: mistakesBetween(upper, each) }))
    .filter(({ each, apart }) => apart <= (each.length < 10 ? 1 : 2))
    .toSorted((one, other) => one.apart - other.apart)
  if (typo !== undefined) return typo.each
  // Ignore single words and names with fewer than eight characters. A name such as ISSUER is too common to be
  // treated as the end of a setting's name.
  if (upper.length < 8 || !upper.includes('_')) return undefined
  const longer = long.filter((each) => each.endsWith(`_${upper}`))
  return longer.length === 1 ? longer[0] : undefined
}

/**
 * Returns the number of letters in which two names with equally many words differ, or Infinity if a word
 * differs by more than one letter. For names with different numbers of words, returns 1 if only the
 * underscores differ, or else Infinity.
 */
function mistakesBetween(one: string, other: string): number {
  const [words, otherWords] = [one.split('_'), other.split('_')]
  if (words.length !== otherWords.length) {
    return words.join('') === otherWords.join('') ? 1 : Number.POSITIVE_INFINITY
  }
  let sum = 0
  for (const [index, word] of words.entries()) {
    const apart = distance(word, otherWords[index] as string)
    if (apart > 1) return Number.POSITIVE_INFINITY
    sum += apart
  }
  return sum
}

/**
 * Returns the smallest number of steps that turn one word into the other (optimal string alignment). Each
 * step inserts, removes, or replaces a letter, or swaps two neighboring letters. Returns Infinity if the
 * lengths differ by more than one letter.
 */
function distance(one: string, other: string): number {
  // The comparison below is slow, and each start compares all variables with all settings.
  if (Math.abs(one.length - other.length) > 1) return Number.POSITIVE_INFINITY
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] as number
  for (let row = 1; row <= one.length; row++) {
    const cells = [row]
    rows.push(cells)
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      const swapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      cells.push(
        Math.min(
          at(row - 1, column) + 1,
          (cells[column - 1] as number) + 1,
          at(row - 1, column - 1) + (same ? 0 : 1),
          swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(one.length, other.length)
}
