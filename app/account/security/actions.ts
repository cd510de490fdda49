'use server'
import { revalidatePath } from 'next/cache'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { submitForm } from '@/lib/edges/web/forms/submit-form'
import { changeEmail, sendVerification } from '@/lib/features/identity/email-verification/send-verification'
import { removePasskey, renamePasskey } from '@/lib/features/identity/passkeys/manage-passkeys'
import { passkeyCreationOptions, registerPasskey } from '@/lib/features/identity/passkeys/register-passkey'
import {
  beginTotp,
  cancelTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
} from '@/lib/features/identity/two-factor/enroll-totp'

/** Recovery codes travel in the answer to this one request and are kept nowhere. */
type Codes = { recoveryCodes: string[] }

const refresh = () => revalidatePath('/account/security')

export const sendVerificationAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor) => {
    await sendVerification(actor)
    return true as const
  })

export const changeEmailAction = async (previous: FormState<{ email: string }>, form: FormData) =>
  submitForm(previous, form, changeEmail)

export const beginTotpAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    await beginTotp(actor, input)
    refresh()
    return true as const
  })

export const cancelTotpAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor) => {
    await cancelTotp(actor)
    refresh()
    return true as const
  })

export const confirmTotpAction = async (previous: FormState<Codes>, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    const codes = await confirmTotp(actor, input)
    refresh()
    return codes
  })

export const removeTotpAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    await removeTotp(actor, input)
    refresh()
    return true as const
  })

export const renewRecoveryCodesAction = async (previous: FormState<Codes>, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    const recoveryCodes = await renewRecoveryCodes(actor, input)
    refresh()
    return { recoveryCodes }
  })

export const passkeyOptionsAction = async (previous: FormState<{ options: string }>, form: FormData) =>
  submitForm(previous, form, async (actor, input) => ({
    options: JSON.stringify(await passkeyCreationOptions(actor, input)),
  }))

export const registerPasskeyAction = async (previous: FormState<Codes>, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    const codes = await registerPasskey(actor, input)
    refresh()
    return codes
  })

export const removePasskeyAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', ...input }) => {
    await removePasskey(actor, id, input)
    refresh()
    return true as const
  })

export const renamePasskeyAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', ...input }) => {
    await renamePasskey(actor, id, input)
    refresh()
    return true as const
  })
