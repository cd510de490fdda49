'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { decideApproval } from '@/lib/features/approvals/decide-approval'
import { decideFactorApproval } from '@/lib/features/approvals/factor-approvals'

const shown = '/approvals/[id]'

export const decideApprovalAction = changeAction(
  (actor, { id = '', decision }) => decideApproval(actor, id, { decision }),
  shown,
)

export const decideFactorApprovalAction = changeAction(
  (actor, { id = '', ...input }) => decideFactorApproval(actor, id, input),
  shown,
)
