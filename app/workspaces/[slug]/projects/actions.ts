'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { safeNext } from '@/lib/base/http/safe-next'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { requireTyped, submitForm } from '@/lib/edges/web/forms/submit-form'
import { createProject } from '@/lib/features/projects/create-project'
import { deleteProject } from '@/lib/features/projects/delete-project'
import { updateProject } from '@/lib/features/projects/update-project'
import { requireProject, requireWorkspace } from '@/lib/policy/require'

export const createProjectAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    const project = await createProject(actor, input)
    const { slug } = await requireWorkspace(actor, 'workspace:read', project.workspaceId)
    redirect(`/workspaces/${slug}/projects/${project.id}`)
  })

export const updateProjectAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', ...input }) => {
    await updateProject(actor, id, input)
    revalidatePath('/workspaces/[slug]', 'layout')
    return true as const
  })

export const deleteProjectAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', home = '/', ...input }) => {
    const { name } = await requireProject(actor, 'project:delete', id)
    requireTyped(name, input)
    await deleteProject(actor, id)
    redirect(safeNext(home))
  })
