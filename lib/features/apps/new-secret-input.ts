import { z } from 'zod'
import { expiryInput } from '@/lib/base/db/expiry-input'
import { nameInput } from '@/lib/base/errors/names'

/** A new client secret: `name` and `expiresAt`, each left out for none; a form's empty name is none. */
export const newSecretInput = z.object({
  name: z.union([z.literal('').transform(() => null), nameInput()]).nullish(),
  expiresAt: expiryInput,
})
