'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { requireProject, requireWorkspace } from '@/lib/policy/require'
import { createProject } from '@/lib/projects/create-project'
import { deleteProject } from '@/lib/projects/delete-project'
import { updateProject } from '@/lib/projects/update-project'
import type { FormState } from '@/lib/web/form-state'
import { safeNext } from '@/lib/web/safe-next'
import { requireTyped, submitForm } from '@/lib/web/submit-form'

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
