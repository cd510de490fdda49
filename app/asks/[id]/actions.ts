'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { decideAsk } from '@/lib/features/asks/decide-ask'
import { decideFactorAsk } from '@/lib/features/asks/decide-factor-ask'

const shown = '/asks/[id]'

export const decideAskAction = changeAction(
  (actor, { id = '', decision }) => decideAsk(actor, id, { decision }),
  shown,
)

export const decideFactorAskAction = changeAction(
  (actor, { id = '', ...input }) => decideFactorAsk(actor, id, input),
  shown,
)
