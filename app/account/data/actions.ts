'use server'
import { redirect } from 'next/navigation'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { deleteAccount } from '@/lib/features/identity/delete-account'

const remove = changeAction(deleteAccount)

/** After the account is deleted, the browser goes to the sign-in page, because these pages require a session. */
export async function deleteAccountAction(
  previous: FormState<true>,
  form: FormData,
): Promise<FormState<true>> {
  const state = await remove(previous, form)
  if (state.result) redirect('/login')
  return state
}
