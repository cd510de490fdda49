'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { revokeOtherSessions, revokeSession } from '@/lib/features/identity/sessions/end-session'

const shown = '/account/sessions'

export const revokeSessionAction = changeAction((actor, { id = '' }) => revokeSession(actor, id), shown)

export const revokeOtherSessionsAction = changeAction((actor) => revokeOtherSessions(actor), shown)
