import type { AppPolicy } from '@/lib/generated/prisma/enums'
import type { Actor } from '@/lib/policy/actor'
import { everyInstalled } from './list-installed'
import { type Loss, lossOf } from './loss-of'

/**
 * What another policy would take away: each app that comes in now and would come in less far, with its people.
 * @throws AppError as `requireDecider`
 */
export async function previewPolicy(actor: Actor, workspaceId: string, policy: AppPolicy): Promise<Loss[]> {
  const apps = await everyInstalled(actor, workspaceId)
  return apps.flatMap((app) => lossOf(app, workspaceId, policy) ?? [])
}
