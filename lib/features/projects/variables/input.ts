import { z } from 'zod'

const name = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Use letters, digits and underscores, with no digit in front.')
  .max(128, 'Use at most 128 characters.')

/** In bytes of UTF-8. */
const maxValueBytes = 32 * 1024

const value = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= maxValueBytes, 'Use at most 32 KiB.')
  .refine((text) => !text.includes('\0'), 'Leave out NUL, which no process can receive.')

/** A variable to write. */
export const setVariableInput = z.object({ environmentId: z.string(), name, value })

/** Several variables to write at once. */
export const setVariablesInput = z.object({
  environmentId: z.string(),
  variables: z
    .array(z.object({ name, value }))
    .max(100, 'Send at most 100 at once.')
    .refine(
      (list) => new Set(list.map((each) => each.name)).size === list.length,
      'Name each variable once.',
    ),
  replace: z.boolean().nullish(),
  expectedRevision: z.number().int().nullish(),
})

/** A variable to read or delete. */
export const variableInput = z.object({ environmentId: z.string(), name: z.string() })
