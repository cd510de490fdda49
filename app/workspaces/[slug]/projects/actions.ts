'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { restoreProject } from '@/lib/features/projects/delete-project'

export const restoreProjectAction = changeAction(
  (actor, { id = '' }) => restoreProject(actor, id),
  '/workspaces/[slug]',
)
