import { z } from 'zod'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { nameInput } from '@/lib/base/errors/name-input'

const name = nameInput()

const expiresAt = z.coerce
  .date({ error: 'Enter a date.' })
  .refine((date) => date.getTime() > databaseNow(), 'Choose a date in the future.')
  .nullish()

const role = z.enum(['ADMIN', 'MEMBER', 'VIEWER']).nullish()

/** A new account token, or with `workspaceId` a workspace token. */
export const createApiTokenInput = z.object({ name, workspaceId: z.string().nullish(), role, expiresAt })

/** A new project token, with `environmentId` for one environment alone. A form's choice of all of them is empty. */
export const createProjectTokenInput = z.object({
  name,
  projectId: z.string(),
  environmentId: z
    .string()
    .transform((id) => id || null)
    .nullish(),
  role,
  expiresAt,
})

/** The moment that a form's choice of days ends at, counted from now; null for the choice of never. */
export function expiresInDays(days: string | undefined): Date | null {
  const count = Number(days)
  return count > 0 ? new Date(databaseNow() + count * 86_400_000) : null
}
