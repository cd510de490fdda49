'use server'
import { redirect } from 'next/navigation'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { deleteAccount } from '@/lib/features/identity/delete-account'

const remove = changeAction(deleteAccount)

/**
 * Deletes the account and then redirects to the sign-in page, because the account pages require a session.
 */
export async function deleteAccountAction(
  previous: FormState<true>,
  form: FormData,
): Promise<FormState<true>> {
  const state = await remove(previous, form)
  if (state.result) redirect('/login')
  return state
}
