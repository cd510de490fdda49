import { z } from 'zod'

/**
 * What people call a thing of theirs: one line, without what cannot be seen.
 * @param missing what to say when nothing was typed
 */
export const nameInput = (missing = 'Enter a name.', most = 80) =>
  z
    .string()
    .trim()
    .min(1, missing)
    .max(most, `Use at most ${most} characters.`)
    .regex(/^\P{C}*$/u, 'Leave out control characters.')
