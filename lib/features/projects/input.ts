import { z } from 'zod'
import { nameInput } from '@/lib/base/errors/names'

const name = nameInput()

const description = z.string().trim().max(2000, 'Use at most 2,000 characters.')

/** A new project. */
export const createProjectInput = z.object({
  workspaceId: z.string().nullish(),
  name,
  description: description.nullish().transform((value) => value ?? ''),
})

/** Where a project shall belong. */
export const transferProjectInput = z.object({ projectId: z.string(), workspaceId: z.string() })

/** What changes about a project; what is left out or null stays. */
export const updateProjectInput = z
  .object({ name: name.nullish(), description: description.nullish() })
  .transform((input) => ({ name: input.name ?? undefined, description: input.description ?? undefined }))
