/** A variable that is probably a setting with a mistake in its name. */
type Mistake = { name: string; meant: string; renamed: boolean }

/** Former names of settings. The server refuses them, because an ignored setting can leave the instance open. */
const formerNames: Readonly<Record<string, string>> = {
  ASK_FIRST: 'REQUIRE_APPROVAL',
  SECOND_FACTOR: 'REQUIRE_TWO_FACTOR',
}

/** Names that other programs read and that resemble a setting. */
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

/** Settings with shorter names, such as PORT, resemble too many other variables. */
const shortestName = 6

/**
 * Finds a variable that is probably a misspelled setting, so that a typo does not silently turn off what it was meant to
 * turn on. Variables of other programs must pass: two names match only if they have the same words and each word differs by
 * at most one letter, if only the underscores differ, if the first words are missing, or if `LATCHKEY_` was added. Where
 * the setting itself has a value as well, the similar variable belongs to another program.
 * @param env variables by name
 * @param known the names of all settings
 */
export function findMisspelledSetting(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): Mistake | undefined {
  const isSet = (name: string) => (env[name] ?? '').trim() !== ''
  const settings = new Set(known)
  for (const name of Object.keys(env)) {
    if (settings.has(name) || foreignNames.has(name) || !isSet(name)) continue
    const former = formerNames[name]
    if (former !== undefined && settings.has(former)) return { name, meant: former, renamed: true }
    const meant = closestSetting(name, known)
    if (meant !== undefined && !isSet(meant)) return { name, meant, renamed: false }
  }
  return undefined
}

/** Returns the setting that a name was probably meant to be; undefined if none or several are close. */
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
  // A single word, such as ISSUER, is too common to be taken for the end of a setting's name.
  if (upper.length < 8 || !upper.includes('_')) return undefined
  const longer = long.filter((each) => each.endsWith(`_${upper}`))
  return longer.length === 1 ? longer[0] : undefined
}

/** Returns how many letters two names differ by; Infinity unless each word, or everything but the underscores, is close. */
function mistakesBetween(one: string, other: string): number {
  const [words, otherWords] = [one.split('_'), other.split('_')]
  if (words.length !== otherWords.length) {
    const apart = distance(words.join(''), otherWords.join(''))
    return apart === 0 ? 1 : Number.POSITIVE_INFINITY
  }
  const each = words.map((word, index) => distance(word, otherWords[index] as string))
  return each.every((apart) => apart <= 1)
    ? each.reduce((sum, apart) => sum + apart, 0)
    : Number.POSITIVE_INFINITY
}

/** Returns the number of inserted, removed, replaced or swapped letters between two words (optimal string alignment). */
function distance(one: string, other: string): number {
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
