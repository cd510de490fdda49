'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { giveWorkspace } from '@/lib/features/instance-admin/workspaces'

export const giveWorkspaceAction = changeAction(
  (actor, { id = '', email }) => giveWorkspace(actor, id, { email }),
  '/admin',
)
