'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { rotateSigningKeys } from '@/lib/features/instance-admin/manage-keys'

const shown = '/admin'

export const rotateKeysAction = changeAction((actor) => rotateSigningKeys(actor), shown)
