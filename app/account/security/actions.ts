'use server'
import { changeAction, formAction } from '@/lib/edges/web/forms/submit-form'
import { sendVerification } from '@/lib/features/identity/email/send-verification'
import { removeIdentity } from '@/lib/features/identity/identities'
import { removePasskey, renamePasskey } from '@/lib/features/identity/passkeys/manage-passkeys'
import { passkeyCreationOptions, registerPasskey } from '@/lib/features/identity/passkeys/register-passkey'
import {
  beginTotp,
  cancelTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
} from '@/lib/features/identity/two-factor/enroll-totp'
import { changeEmail } from '@/lib/features/identity/users/change-email'
import { changePassword } from '@/lib/features/identity/users/password'

const shown = '/account/security'

export const changePasswordAction = changeAction(changePassword, '/account')

export const sendVerificationAction = changeAction((actor) => sendVerification(actor))

export const changeEmailAction = formAction(changeEmail, shown)

export const beginTotpAction = changeAction(beginTotp, shown)

export const cancelTotpAction = changeAction((actor) => cancelTotp(actor), shown)

// The actions that can create recovery codes use `formAction`, which returns the codes. No later response can
// contain the codes, because the server stores only their hashes.
export const confirmTotpAction = formAction(confirmTotp, shown)

export const removeTotpAction = changeAction(removeTotp, shown)

export const renewRecoveryCodesAction = formAction(
  async (actor, input) => ({ recoveryCodes: await renewRecoveryCodes(actor, input) }),
  shown,
)

export const passkeyOptionsAction = formAction(async (actor, input) => ({
  options: JSON.stringify(await passkeyCreationOptions(actor, input)),
}))

export const registerPasskeyAction = formAction(registerPasskey, shown)

export const removePasskeyAction = changeAction(
  (actor, { id = '', ...input }) => removePasskey(actor, id, input),
  shown,
)

export const renamePasskeyAction = changeAction(
  (actor, { id = '', ...input }) => renamePasskey(actor, id, input),
  shown,
)

export const removeIdentityAction = changeAction(removeIdentity, shown)
