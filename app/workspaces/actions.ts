'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { requireTyped, submitForm } from '@/lib/edges/web/forms/submit-form'
import { requireTwoFactorInWorkspace } from '@/lib/features/identity/two-factor/require-in-workspace'
import { createWorkspace } from '@/lib/features/workspaces/create-workspace'
import { deleteWorkspace } from '@/lib/features/workspaces/delete-workspace'
import { leaveWorkspace } from '@/lib/features/workspaces/members/remove-member'
import { updateWorkspace } from '@/lib/features/workspaces/update-workspace'
import { requireWorkspace } from '@/lib/policy/require'

export const createWorkspaceAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    const { slug } = await createWorkspace(actor, input)
    redirect(`/workspaces/${slug}`)
  })

export const updateWorkspaceAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', ...input }) => {
    const before = await requireWorkspace(actor, 'workspace:update', id)
    const { slug } = await updateWorkspace(actor, id, input)
    if (slug !== before.slug) redirect(`/workspaces/${slug}/settings`)
    revalidatePath(`/workspaces/${slug}`, 'layout')
    return true as const
  })

export const requireTwoFactorAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', required = '' }) => {
    await requireTwoFactorInWorkspace(actor, id, required === 'yes')
    revalidatePath('/workspaces', 'layout')
    return true as const
  })

export const leaveWorkspaceAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    await leaveWorkspace(actor, id)
    redirect('/')
  })

export const deleteWorkspaceAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', ...input }) => {
    const { name } = await requireWorkspace(actor, 'workspace:delete', id)
    requireTyped(name, input)
    await deleteWorkspace(actor, id)
    redirect('/')
  })
