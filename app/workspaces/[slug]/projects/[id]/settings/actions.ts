'use server'
import { redirect } from 'next/navigation'
import { safeNext } from '@/lib/base/http/safe-next'
import { changeAction, requireTyped } from '@/lib/edges/web/forms/submit-form'
import { updateProject } from '@/lib/features/projects/create-project'
import { deleteProject } from '@/lib/features/projects/delete-project'
import { transferProject } from '@/lib/features/projects/transfer-project'
import { requireProject, requireWorkspace } from '@/lib/policy/require'

export const updateProjectAction = changeAction(
  (actor, { id = '', ...input }) => updateProject(actor, id, input),
  '/workspaces/[slug]',
)

export const deleteProjectAction = changeAction(async (actor, { id = '', home = '/', ...input }) => {
  const { name } = await requireProject(actor, 'project:delete', id)
  requireTyped(name, input)
  await deleteProject(actor, id)
  redirect(safeNext(home))
})

export const transferProjectAction = changeAction(async (actor, input) => {
  const { id, workspaceId } = await transferProject(actor, input)
  const { slug } = await requireWorkspace(actor, 'workspace:read', workspaceId)
  redirect(`/workspaces/${slug}/projects/${id}/settings`)
})
