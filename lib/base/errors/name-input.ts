import { z } from 'zod'
import { pretence, unreadable } from './name-rules'

/**
 * What people call a thing of theirs: one line, without what cannot be seen.
 * @param missing what to say when nothing was typed
 */
export const nameInput = (missing = 'Enter a name.', most = 80) =>
  z
    .string()
    .transform(plainSpaces)
    .pipe(z.string().min(1, missing).max(most, `Use at most ${most} characters.`))
    .superRefine((name, context) => tell(unreadable(name), context))

/**
 * The name of what strangers are asked to trust, an app's or a workspace's: it also pretends nothing.
 * @param current the name it has; from before there was this rule, it does not stand in the way of other changes
 */
export const publicNameInput = (missing?: string, current?: string) =>
  nameInput(missing).superRefine((name, context) => {
    if (name !== current) tell(pretence(name), context)
  })

/** Spaces of any width are spaces. */
const plainSpaces = (name: string) => name.replace(/\p{Zs}/gu, ' ').trim()

function tell(message: string | undefined, context: z.RefinementCtx): void {
  if (message) context.addIssue({ code: 'custom', message })
}
