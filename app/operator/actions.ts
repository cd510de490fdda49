'use server'
import { revalidatePath } from 'next/cache'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { submitForm } from '@/lib/edges/web/forms/submit-form'
import { setAppDisabled, setAppVerified } from '@/lib/features/operator/manage-apps'
import { retryJob, runJobNow } from '@/lib/features/operator/manage-jobs'
import { rotateSigningKeys } from '@/lib/features/operator/manage-keys'
import {
  makeResetLink,
  removeSecondFactors,
  setOperator,
  signOutPerson,
  suspendPerson,
  unsuspendPerson,
} from '@/lib/features/operator/manage-person'
import type { SessionActor } from '@/lib/policy/actor'

/** Does one thing to what the hidden field `id` names, and shows the operator's pages anew. */
const change = (
  previous: FormState,
  form: FormData,
  work: (actor: SessionActor, id: string) => Promise<unknown>,
) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    await work(actor, id)
    revalidatePath('/operator', 'layout')
    return true as const
  })

export const suspendAction = async (previous: FormState, form: FormData) =>
  change(previous, form, suspendPerson)

export const unsuspendAction = async (previous: FormState, form: FormData) =>
  change(previous, form, unsuspendPerson)

export const signOutAction = async (previous: FormState, form: FormData) =>
  change(previous, form, signOutPerson)

export const removeFactorsAction = async (previous: FormState, form: FormData) =>
  change(previous, form, removeSecondFactors)

export const addOperatorAction = async (previous: FormState, form: FormData) =>
  change(previous, form, (actor, id) => setOperator(actor, id, true))

export const removeOperatorAction = async (previous: FormState, form: FormData) =>
  change(previous, form, (actor, id) => setOperator(actor, id, false))

export const disableAppAction = async (previous: FormState, form: FormData) =>
  change(previous, form, (actor, id) => setAppDisabled(actor, id, true))

export const enableAppAction = async (previous: FormState, form: FormData) =>
  change(previous, form, (actor, id) => setAppDisabled(actor, id, false))

export const verifyAppAction = async (previous: FormState, form: FormData) =>
  change(previous, form, (actor, id) => setAppVerified(actor, id, true))

export const unverifyAppAction = async (previous: FormState, form: FormData) =>
  change(previous, form, (actor, id) => setAppVerified(actor, id, false))

export const rotateKeysAction = async (previous: FormState, form: FormData) =>
  change(previous, form, rotateSigningKeys)

export const retryJobAction = async (previous: FormState, form: FormData) => change(previous, form, retryJob)

export const runJobAction = async (previous: FormState, form: FormData) => change(previous, form, runJobNow)

/** The link travels in the answer to this one request and is kept nowhere. */
export const resetLinkAction = async (previous: FormState<{ link: string }>, form: FormData) =>
  submitForm(previous, form, (actor, { id = '' }) => makeResetLink(actor, id))
