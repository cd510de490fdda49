'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { approveApp, decideVerification, setAppDisabled } from '@/lib/features/instance-admin/manage-apps'

const shown = '/admin'

export const approveAppAction = changeAction(
  (actor, { id = '', version }) => approveApp(actor, id, { version }),
  shown,
)

export const disableAppAction = changeAction((actor, { id = '' }) => setAppDisabled(actor, id, true), shown)

export const enableAppAction = changeAction((actor, { id = '' }) => setAppDisabled(actor, id, false), shown)

export const decideVerificationAction = changeAction(
  (actor, { id = '', ...input }) => decideVerification(actor, id, input),
  shown,
)
