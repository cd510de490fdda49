import { AppError } from '@/lib/base/errors/app-error'
import type { Actor } from './actor'
import { type ProjectPermission, permissions } from './permissions'

/**
 * What a token for one environment reaches: of its project what `inEnvironment` says of a permission, and of the environments
 * its own. Whoever reads or changes an environment asks here, after the project was decided. See decision 170.
 */

/** The one environment that an actor reaches, for statements; null for every environment of what they reach. */
export const onlyEnvironment = (actor: Actor): string | null =>
  actor.kind === 'project-token' ? (actor.environmentId ?? null) : null

/** @throws AppError RESOURCE_NOT_SHARED for a token of one environment, where the permission is about the whole project */
export function authorizeBeyondEnvironment(
  actor: Actor,
  permission: ProjectPermission,
  projectId: string,
): void {
  if (onlyEnvironment(actor) === null || 'inEnvironment' in permissions[permission]) return
  throw new AppError(
    'RESOURCE_NOT_SHARED',
    'This token is for one environment of the project, and this is about the whole project.',
    { resource: { type: 'project', id: projectId } },
  )
}

/** Whether an actor reaches an environment of a project that they reach. @returns what they are told if not */
export function refusedEnvironment(actor: Actor, id: string): AppError | undefined {
  const only = onlyEnvironment(actor)
  if (only === null || only === id) return undefined
  return new AppError('RESOURCE_NOT_SHARED', 'This environment was not shared with the token.', {
    resource: { type: 'environment', id },
  })
}
