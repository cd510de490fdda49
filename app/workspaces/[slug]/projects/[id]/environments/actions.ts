'use server'
import { redirect } from 'next/navigation'
import { safeNext } from '@/lib/base/http/safe-next'
import { changeAction, formAction, requireTyped } from '@/lib/edges/web/forms/submit-form'
import {
  createEnvironment,
  deleteEnvironment,
  renameEnvironment,
  requireEnvironment,
} from '@/lib/features/projects/environments'
import { readVariable } from '@/lib/features/projects/read-variables'
import { deleteVariable, setVariable } from '@/lib/features/projects/set-variables'

const shown = '/workspaces/[slug]/projects/[id]'

export const createEnvironmentAction = changeAction(createEnvironment, shown)

export const renameEnvironmentAction = changeAction(
  (actor, { id = '', ...input }) => renameEnvironment(actor, id, input),
  shown,
)

export const deleteEnvironmentAction = changeAction(async (actor, { id = '', home = '/', ...input }) => {
  const { environment } = await requireEnvironment(actor, 'project:delete', id)
  requireTyped(environment.name, input)
  await deleteEnvironment(actor, id)
  redirect(safeNext(home))
})

export const setVariableAction = changeAction(setVariable, shown)

export const deleteVariableAction = changeAction(deleteVariable, shown)

/** Returns a variable's value, which is not part of any page. */
export const revealVariableAction = formAction(async (actor, input) => ({
  value: await readVariable(actor, input),
}))
