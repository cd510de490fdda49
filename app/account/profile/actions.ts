'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { updateProfile } from '@/lib/features/identity/people/update-profile'

/** The person's name stands in the frame of every page. */
export const updateProfileAction = changeAction(updateProfile, '/')
