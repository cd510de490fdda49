'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { addSshKey, removeSshKey } from '@/lib/features/identity/ssh-keys'

const shown = '/account/ssh-keys'

export const addSshKeyAction = changeAction(addSshKey, shown)

export const removeSshKeyAction = changeAction((actor, { id = '' }) => removeSshKey(actor, id), shown)
