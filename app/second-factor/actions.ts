'use server'
import { enrolAction } from '@/lib/edges/web/forms/submit-form'
import { passkeyCreationOptions, registerPasskey } from '@/lib/features/identity/passkeys/register-passkey'
import { beginTotp, cancelTotp, confirmTotp } from '@/lib/features/identity/two-factor/enroll-totp'

// What somebody may do who owes a second factor: set one up. What is below /account/security takes a session that owes none.

export const beginTotpAction = enrolAction(async (actor, input) => {
  await beginTotp(actor, input)
  return true as const
})

export const cancelTotpAction = enrolAction(async (actor) => {
  await cancelTotp(actor)
  return true as const
})

export const confirmTotpAction = enrolAction(confirmTotp)

export const passkeyOptionsAction = enrolAction(async (actor, input) => ({
  options: JSON.stringify(await passkeyCreationOptions(actor, input)),
}))

export const registerPasskeyAction = enrolAction(registerPasskey)
