'use server'
import { textFields } from '@/lib/base/http/body'
import { currentSession } from '@/lib/edges/web/current-session'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { changeSettings } from '@/lib/features/instance-settings/change-settings'
import { drawPreview, type Preview } from './draw-preview'

export const changeBrandingAction = changeAction(changeSettings, '/')

/**
 * Returns a preview of the branding that is entered in the form, or undefined if the user is no longer signed
 * in as an instance admin.
 */
export async function drawPreviewAction(form: FormData): Promise<Preview | undefined> {
  const session = await currentSession()
  return session?.actor.instanceAdmin ? drawPreview(session, textFields(form)) : undefined
}
