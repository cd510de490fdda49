import { z } from 'zod'

const name = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Use letters, digits and underscores, with no digit in front.')
  .max(128, 'Use at most 128 characters.')

/** In bytes of UTF-8. */
const maxValueBytes = 32 * 1024

/** A variable to write. */
export const setVariableInput = z.object({
  environmentId: z.string(),
  name,
  value: z
    .string()
    .refine((value) => Buffer.byteLength(value) <= maxValueBytes, 'Use at most 32 KiB.')
    .refine((value) => !value.includes('\0'), 'Leave out NUL, which no process can receive.'),
})

/** A variable to read or delete. */
export const variableInput = z.object({ environmentId: z.string(), name: z.string() })
