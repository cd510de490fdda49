'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { leaveWorkspace } from '@/lib/members/remove-member'
import { requireWorkspace } from '@/lib/policy/require'
import { requireTwoFactorInWorkspace } from '@/lib/two-factor/require-in-workspace'
import type { FormState } from '@/lib/web/form-state'
import { requireTyped, submitForm } from '@/lib/web/submit-form'
import { createWorkspace } from '@/lib/workspaces/create-workspace'
import { deleteWorkspace } from '@/lib/workspaces/delete-workspace'
import { updateWorkspace } from '@/lib/workspaces/update-workspace'

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
