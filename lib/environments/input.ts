import { z } from 'zod'

const name = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(60, 'Use at most 60 characters.')
  .regex(/^\P{C}*$/u, 'Leave out control characters.')

/** A new environment. */
export const createEnvironmentInput = z.object({ projectId: z.string(), name })

/** What changes about an environment. */
export const updateEnvironmentInput = z.object({ name })
