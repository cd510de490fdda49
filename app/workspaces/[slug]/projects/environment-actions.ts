'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import {
  createEnvironment,
  deleteEnvironment,
  renameEnvironment,
} from '@/lib/environments/change-environment'
import { requireEnvironment } from '@/lib/environments/require-environment'
import { readVariable } from '@/lib/variables/read-variable'
import { deleteVariable, setVariable } from '@/lib/variables/set-variable'
import type { FormState } from '@/lib/web/form-state'
import { safeNext } from '@/lib/web/safe-next'
import { requireTyped, submitForm } from '@/lib/web/submit-form'

const showAnew = () => revalidatePath('/workspaces/[slug]/projects/[id]', 'layout')

export const createEnvironmentAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    await createEnvironment(actor, input)
    showAnew()
    return true as const
  })

export const renameEnvironmentAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', ...input }) => {
    await renameEnvironment(actor, id, input)
    showAnew()
    return true as const
  })

export const deleteEnvironmentAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', home = '/', ...input }) => {
    const { environment } = await requireEnvironment(actor, 'project:delete', id)
    requireTyped(environment.name, input)
    await deleteEnvironment(actor, id)
    redirect(safeNext(home))
  })

export const setVariableAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    await setVariable(actor, input)
    showAnew()
    return true as const
  })

export const deleteVariableAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    await deleteVariable(actor, input)
    showAnew()
    return true as const
  })

/** The value travels in the answer to this one request and stands in no page. */
export const revealVariableAction = async (previous: FormState<{ value: string }>, form: FormData) =>
  submitForm(previous, form, async (actor, input) => ({ value: await readVariable(actor, input) }))
