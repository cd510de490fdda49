import { z } from 'zod'
import { expiryInput } from '@/lib/base/db/expiry-input'
import { nameInput } from '@/lib/base/errors/names'

const name = nameInput()

const role = z.enum(['ADMIN', 'MEMBER', 'VIEWER']).nullish()

/** A new account token, or with `workspaceId` a workspace token. */
export const createApiTokenInput = z.object({
  name,
  workspaceId: z.string().nullish(),
  role,
  expiresAt: expiryInput,
})

/** A new project token, with `environmentId` for one environment alone. A form's choice of all of them is empty. */
export const createProjectTokenInput = z.object({
  name,
  projectId: z.string(),
  environmentId: z
    .string()
    .transform((id) => id || null)
    .nullish(),
  role,
  expiresAt: expiryInput,
})
