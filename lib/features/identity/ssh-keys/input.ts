import { z } from 'zod'

/** A new SSH key; without a name it is called what its comment says. */
export const addSshKeyInput = z.object({
  name: z
    .string()
    .trim()
    .max(80, 'Use at most 80 characters.')
    .regex(/^\P{C}*$/u, 'Leave out control characters.')
    .nullish(),
  publicKey: z.string().max(20_000, 'This is too long for a public key.'),
})
