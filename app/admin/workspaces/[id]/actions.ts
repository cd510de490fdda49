'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { assignWorkspace } from '@/lib/features/instance-admin/workspaces'

export const assignWorkspaceAction = changeAction(
  (actor, { id = '', email }) => assignWorkspace(actor, id, { email }),
  '/admin',
)
