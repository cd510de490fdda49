'use server'
import { redirect } from 'next/navigation'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { createProject } from '@/lib/features/projects/create-project'
import { requireWorkspace } from '@/lib/policy/require'

export const createProjectAction = changeAction(async (actor, input) => {
  const project = await createProject(actor, input)
  const { slug } = await requireWorkspace(actor, 'workspace:read', project.workspaceId)
  redirect(`/workspaces/${slug}/projects/${project.id}`)
})
