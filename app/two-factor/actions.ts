'use server'
import { sayToVisitor } from '@/app/auth-pages/under-next'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { changeAction, enrolAction } from '@/lib/edges/web/forms/submit-form'
import { removePasskey, renamePasskey } from '@/lib/features/identity/passkeys/manage-passkeys'
import { passkeyCreationOptions, registerPasskey } from '@/lib/features/identity/passkeys/register-passkey'
import {
  beginTotp,
  cancelTotp,
  confirmTotp,
  removeTotp,
} from '@/lib/features/identity/two-factor/enroll-totp'

const shown = '/two-factor'

/** Returns an action that behaves like the given action but returns errors in the language of the page. */
const spoken =
  <Result>(action: FormAction<Result>): FormAction<Result> =>
  async (previous, form) => {
    const { message, fields, ...state } = await action(previous, form)
    const { known } = await sayToVisitor()
    return {
      ...state,
      ...(message ? { message: known(message) } : {}),
      fields: Object.fromEntries(Object.entries(fields).map(([name, reason]) => [name, known(reason)])),
    }
  }

// The following actions set up a method. They accept a session without two-factor authentication, because
// users who must set up two-factor authentication have no other session.
export const beginTotpAction = spoken(
  enrolAction(async (actor, input) => {
    await beginTotp(actor, input)
    return true as const
  }),
)

export const cancelTotpAction = spoken(
  enrolAction(async (actor) => {
    await cancelTotp(actor)
    return true as const
  }),
)

export const confirmTotpAction = spoken(enrolAction(confirmTotp))

export const passkeyOptionsAction = spoken(
  enrolAction(async (actor, input) => ({
    options: JSON.stringify(await passkeyCreationOptions(actor, input)),
  })),
)

export const registerPasskeyAction = spoken(enrolAction(registerPasskey))

// The following actions change existing methods. They reject a session that lacks the two-factor
// authentication that the instance requires.
export const removeTotpAction = spoken(changeAction(removeTotp, shown))

export const removePasskeyAction = spoken(
  changeAction((actor, { id = '', ...input }) => removePasskey(actor, id, input), shown),
)

export const renamePasskeyAction = spoken(
  changeAction((actor, { id = '', ...input }) => renamePasskey(actor, id, input), shown),
)
