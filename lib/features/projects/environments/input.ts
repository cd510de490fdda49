import { z } from 'zod'
import { nameInput } from '@/lib/base/errors/names'

const name = nameInput('Enter a name.', 60)

/** A new environment. */
export const createEnvironmentInput = z.object({ projectId: z.string(), name })

/** What changes about an environment. */
export const updateEnvironmentInput = z.object({ name })
