import type { z } from 'zod'
import { AppError } from './app-error'

/** What zod finds wrong, as far as it is said here. */
type Issue = {
  code?: string
  origin?: string
  maximum?: number | bigint
  minimum?: number | bigint
  input?: unknown
}

const count = (issue: Issue, bound: number | bigint | undefined) =>
  `${Number(bound).toLocaleString('en')} ${issue.origin === 'string' ? 'characters' : 'entries'}`

const isCounted = (issue: Issue) => issue.origin === 'string' || issue.origin === 'array'

/**
 * A sentence for a person where a rule of the input brings none of its own: what is wrong and how to mend it.
 * @returns undefined for what zod may say in its own words
 */
function defaultSentence(issue: Issue): string | undefined {
  if (issue.code === 'too_big' && isCounted(issue)) return `Use at most ${count(issue, issue.maximum)}.`
  if (issue.code === 'too_small' && isCounted(issue)) {
    return Number(issue.minimum) === 1 ? 'Fill this in.' : `Use at least ${count(issue, issue.minimum)}.`
  }
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'Fill this in.' : 'This has the wrong type.'
  if (issue.code === 'invalid_value') return 'Choose one of the listed values.'
  return undefined
}

/**
 * Checks input against a schema, the same way for forms, GraphQL and tests.
 * @returns the parsed value
 * @throws AppError BAD_USER_INPUT with the first message, and every message by field in `details.fields`; `details.at` leads to the
 *   first one where it is inside of a field
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input, { error: defaultSentence })
  if (parsed.success) return parsed.data
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) fields[String(issue.path[0] ?? '')] ??= issue.message
  const [field, message] = Object.entries(fields)[0] ?? ['', 'Not valid.']
  const path =
    parsed.error.issues[0]?.path.map((step) => (typeof step === 'symbol' ? String(step) : step)) ?? []
  throw new AppError('BAD_USER_INPUT', message, { field, fields, ...(path.length > 1 ? { at: path } : {}) })
}

/** A value is repeated in a sentence up to this length. */
const longest = 60

/** What a rule of input says of a value that is none of a few: which it was, and which there are. */
export const oneOf = (values: readonly string[]) => ({
  error: ({ input }: { input?: unknown }) =>
    `${typeof input === 'string' && input.length <= longest ? `“${input}”` : 'This'} is not one of ${values.join(', ')}.`,
})

/**
 * A rule of input with a beginning and an end, which is not in it itself: where the end is not after the beginning nothing could ever be
 * found, and that is said in words. For `superRefine`.
 */
export function beginsBeforeItEnds(
  { since, until }: { since?: Date | null | undefined; until?: Date | null | undefined },
  context: z.RefinementCtx,
): void {
  if (!since || !until || since < until) return
  context.addIssue({ code: 'custom', path: ['until'], message: 'The end must be after the start.' })
}

/** What a name such as `project.created` begins with. */
const kindOf = (name: string): string => name.split('.', 1)[0] as string

/**
 * What is wrong with a name of two parts such as `project.created`, where there are more than anybody wants to read in one sentence.
 * @param what such as "action"
 * @param known all that there are
 * @returns a sentence with those that begin alike, else with how they begin; undefined for one that there is
 */
export function unknownName(what: string, name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined
  const siblings = known.filter((other) => kindOf(other) === kindOf(name))
  return siblings.length > 0
    ? `There is no ${what} “${name}”. There is ${siblings.join(', ')}.`
    : `There is no ${what} “${name}”. They begin with ${[...new Set(known.map(kindOf))].join(', ')}.`
}
