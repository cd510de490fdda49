import { z } from 'zod'
import { AppError } from './app-error'

/** The part of a zod issue that messages use. */
type Issue = {
  code?: string
  origin?: string
  maximum?: number | bigint
  minimum?: number | bigint
  input?: unknown
  /** The issues of each option of a union. */
  errors?: readonly (readonly { message: string }[])[]
}

const count = (issue: Issue, bound: number | bigint | undefined) =>
  `${Number(bound).toLocaleString('en')} ${issue.origin === 'string' ? 'characters' : 'entries'}`

const isCounted = (issue: Issue) => issue.origin === 'string' || issue.origin === 'array'

/**
 * Returns the message for a violation of a rule that has no message of its own.
 * @returns undefined for all other rules, so that zod's own message is used
 */
function defaultSentence(issue: Issue): string | undefined {
  if (issue.code === 'too_big' && isCounted(issue)) return `Use at most ${count(issue, issue.maximum)}.`
  if (issue.code === 'too_small' && isCounted(issue)) {
    return Number(issue.minimum) === 1
      ? 'Fill in this field.'
      : `Use at least ${count(issue, issue.minimum)}.`
  }
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'Fill in this field.' : 'This has the wrong type.'
  if (issue.code === 'invalid_value') return 'Choose one of the listed values.'
  // The options before the last one are special values, such as an empty text.
  if (issue.code === 'invalid_union') return issue.errors?.at(-1)?.[0]?.message
  return undefined
}

/**
 * Validates input against a schema, for forms and GraphQL.
 * @returns the parsed value
 * @throws AppError BAD_USER_INPUT with the first message; `details.field` is the first invalid field,
 * `details.fields` contains the first message of each invalid field, and `details.at` is the path of the
 * first invalid value if the value is inside a field
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

/**
 * Returns the schema of a text with at most `most` characters, without surrounding spaces. If the text is
 * longer, no check that is added to the schema runs, because checks such as parsing a URL or comparing names
 * can take hundreds of milliseconds for a long text.
 */
export const shortText = (most: number) =>
  z
    .string()
    .trim()
    .max(most, { error: `Use at most ${most.toLocaleString('en')} characters.`, abort: true })

/** The maximum length of a value that a message repeats. */
const longest = 60

/**
 * Returns the `error` option of a schema for a value that must be in a list. The message contains the value,
 * if it is a short text, and the list.
 */
export const oneOf = (values: readonly string[]) => ({
  error: ({ input }: { input?: unknown }) =>
    `${typeof input === 'string' && input.length <= longest ? `“${input}”` : 'This'} is not one of ${values.join(', ')}.`,
})

/**
 * Adds an issue for `until` if the start of a range is not before its end, because the result would always be
 * empty. Accepts a range without a start or an end. Use this function with `superRefine`.
 */
export function startBeforeEnd(
  { since, until }: { since?: Date | null | undefined; until?: Date | null | undefined },
  context: z.RefinementCtx,
): void {
  if (!since || !until || since < until) return
  context.addIssue({ code: 'custom', path: ['until'], message: 'The end must be after the start.' })
}

/** Returns the part before the dot in a name such as `project.created`. */
const kindOf = (name: string): string => name.split('.', 1)[0] as string

/**
 * Returns the error message for an unknown two-part name, such as `project.create`. Use this function if the
 * list of all valid names is too long for a message.
 * @param what the kind of name, such as "action"
 * @param known all valid names
 * @returns a message that lists the names with the same first part or, if there are none, all first parts;
 * undefined if the name is valid
 */
export function unknownName(what: string, name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined
  const siblings = known.filter((other) => kindOf(other) === kindOf(name))
  return siblings.length > 0
    ? `There is no ${what} “${name}”. Valid values: ${siblings.join(', ')}.`
    : `There is no ${what} “${name}”. Valid values begin with ${[...new Set(known.map(kindOf))].join(', ')}.`
}
