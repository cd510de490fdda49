import { z } from 'zod'

const name = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(80, 'Use at most 80 characters.')
  .regex(/^\P{C}*$/u, 'Leave out control characters.')

const description = z.string().trim().max(2000, 'Use at most 2,000 characters.')

/** A new project. */
export const createProjectInput = z.object({
  workspaceId: z.string(),
  name,
  description: description.nullish().transform((value) => value ?? ''),
})

/** What changes about a project; what is left out or null stays. */
export const updateProjectInput = z
  .object({ name: name.nullish(), description: description.nullish() })
  .transform((input) => ({ name: input.name ?? undefined, description: input.description ?? undefined }))
