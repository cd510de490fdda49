'use server'
import { revalidatePath } from 'next/cache'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { submitForm } from '@/lib/edges/web/forms/submit-form'
import { addSshKey } from '@/lib/features/identity/ssh-keys/add-ssh-key'
import { removeSshKey } from '@/lib/features/identity/ssh-keys/remove-ssh-key'

export const addSshKeyAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    await addSshKey(actor, input)
    revalidatePath('/account/ssh-keys')
    return true as const
  })

export const removeSshKeyAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    await removeSshKey(actor, id)
    revalidatePath('/account/ssh-keys')
    return true as const
  })
