'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { approveApp, decideVerification, setAppDisabled } from '@/lib/features/operator/manage-apps'

const shown = '/operator'

export const approveAppAction = changeAction((actor, { id = '' }) => approveApp(actor, id), shown)

export const disableAppAction = changeAction((actor, { id = '' }) => setAppDisabled(actor, id, true), shown)

export const enableAppAction = changeAction((actor, { id = '' }) => setAppDisabled(actor, id, false), shown)

export const decideVerificationAction = changeAction(
  (actor, { id = '', decision, word }) => decideVerification(actor, id, { decision, word }),
  shown,
)
