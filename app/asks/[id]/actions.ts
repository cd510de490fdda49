'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { decideAsk } from '@/lib/features/asks/decide-ask'

export const decideAskAction = changeAction(
  (actor, { id = '', decision }) => decideAsk(actor, id, { decision }),
  '/asks/[id]',
)
