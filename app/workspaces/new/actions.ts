'use server'
import { redirect } from 'next/navigation'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { createWorkspace } from '@/lib/features/workspaces/create-workspace'

export const createWorkspaceAction = changeAction(async (actor, input) => {
  const { slug } = await createWorkspace(actor, input)
  redirect(`/workspaces/${slug}`)
})
