'use server'
import { redirect } from 'next/navigation'
import { changeAction, requireTyped } from '@/lib/edges/web/forms/submit-form'
import { requireTwoFactorInWorkspace } from '@/lib/features/identity/two-factor/require-in-workspace'
import { updateWorkspace } from '@/lib/features/workspaces/create-workspace'
import { deleteWorkspace } from '@/lib/features/workspaces/delete-workspace'
import { leaveWorkspace } from '@/lib/features/workspaces/remove-member'
import { requireWorkspace } from '@/lib/policy/require'

export const updateWorkspaceAction = changeAction(async (actor, { id = '', ...input }) => {
  const before = await requireWorkspace(actor, 'workspace:update', id)
  const { slug } = await updateWorkspace(actor, id, input)
  if (slug !== before.slug) redirect(`/workspaces/${slug}/settings`)
}, '/workspaces/[slug]')

export const requireTwoFactorAction = changeAction(
  (actor, { id = '', required = '' }) => requireTwoFactorInWorkspace(actor, id, required === 'yes'),
  '/workspaces',
)

export const leaveWorkspaceAction = changeAction(async (actor, { id = '' }) => {
  await leaveWorkspace(actor, id)
  redirect('/')
})

export const deleteWorkspaceAction = changeAction(async (actor, { id = '', ...input }) => {
  const { name } = await requireWorkspace(actor, 'workspace:delete', id)
  requireTyped(name, input)
  await deleteWorkspace(actor, id)
  redirect('/')
})
