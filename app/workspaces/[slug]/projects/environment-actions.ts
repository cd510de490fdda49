'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { safeNext } from '@/lib/base/http/safe-next'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { requireTyped, submitForm } from '@/lib/edges/web/forms/submit-form'
import {
  createEnvironment,
  deleteEnvironment,
  renameEnvironment,
} from '@/lib/features/projects/environments/change-environment'
import { requireEnvironment } from '@/lib/features/projects/environments/require-environment'
import { readVariable } from '@/lib/features/projects/variables/read-variable'
import { deleteVariable, setVariable } from '@/lib/features/projects/variables/set-variable'

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
