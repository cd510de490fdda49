import { isAppError } from '@/lib/base/errors/app-error'
import type { FormFields } from '@/lib/base/http/body'
import { askAdmin } from '@/lib/features/app-access/ask-admin'
import { approveApp } from '@/lib/features/app-access/decide'
import type { SessionActor } from '@/lib/policy/actor'
import { resourceOf } from '@/lib/policy/scopes'

/** The decisions that this takes. */
export const asks = (decision: string | undefined): boolean => decision === 'ask' || decision === 'approve'

/**
 * See decision 174. Takes "Ask an admin" and "Approve as an admin" of the consent or the device page.
 * @returns what the page then says
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function askFromForm(
  actor: SessionActor,
  app: { clientId: string; scopes: readonly string[] },
  form: FormFields,
): Promise<'yes' | 'approved' | 'no'> {
  try {
    const workspaceId = form.ask ?? ''
    if (form.decision === 'approve') {
      const scopes = app.scopes.filter((scope) => resourceOf(scope))
      await approveApp(actor, workspaceId, app.clientId, { scopes, word: form.reason })
      return 'approved'
    }
    await askAdmin(actor, { ...app, workspaceId, reason: form.reason ?? '' })
    return 'yes'
  } catch (error) {
    if (!isAppError(error) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return 'no'
  }
}
