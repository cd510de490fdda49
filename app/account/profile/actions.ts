'use server'
import { isLanguage } from '@/lib/base/language/languages'
import { keepLanguage } from '@/lib/edges/web/console/preferences'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { updateProfile } from '@/lib/features/identity/users/profile'

/**
 * Updates the profile. If the form selects a language, stores the language in a cookie. Revalidates every
 * page, because the frame shows the user's name.
 */
export const updateProfileAction = changeAction(async (actor, input) => {
  await updateProfile(actor, input)
  if (isLanguage(input.language)) await keepLanguage(input.language)
}, '/')
