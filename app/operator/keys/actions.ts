'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { rotateSigningKeys } from '@/lib/features/operator/manage-keys'

const shown = '/operator'

export const rotateKeysAction = changeAction((actor) => rotateSigningKeys(actor), shown)
