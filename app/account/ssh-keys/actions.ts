'use server'
import { revalidatePath } from 'next/cache'
import { addSshKey } from '@/lib/ssh-keys/add-ssh-key'
import { removeSshKey } from '@/lib/ssh-keys/remove-ssh-key'
import type { FormState } from '@/lib/web/form-state'
import { submitForm } from '@/lib/web/submit-form'

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
