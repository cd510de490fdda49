import { AppError } from '@/lib/base/errors/app-error'
import { type Actor, isApp } from '@/lib/policy/actor'
import { requireWorkspace, type WorkspaceRow } from '@/lib/policy/require'
import type { Role } from '@/lib/policy/scopes'

/**
 * Requires somebody who may decide about apps: `workspace:decide-apps`, and no app, which could let itself in.
 * @throws AppError FORBIDDEN for an app, and as `authorizeWorkspace`
 */
export function requireDecider(actor: Actor, workspaceId: string): Promise<WorkspaceRow & { role: Role }> {
  if (isApp(actor)) throw new AppError('FORBIDDEN', 'No app decides about apps. Use an API token.')
  return requireWorkspace(actor, 'workspace:decide-apps', workspaceId)
}
