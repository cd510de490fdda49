import type { z } from 'zod'
import { AppError } from './app-error'
import { defaultSentence } from './default-sentences'

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
