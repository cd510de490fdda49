import type { AuditEvent } from '@/lib/generated/prisma/client'
import type { EventNames } from '../name-events'

/**
 * An event as it leaves the product: a line of an export, an element of what a stream sends. Names are those that are known
 * when it is written; ids stay. It holds no address of a person's but what the event itself tells (decision 068).
 * @param event with its names, as nameEvents returns it
 */
export const describeEvent = (event: AuditEvent & EventNames) => ({
  id: event.id,
  createdAt: event.createdAt.toISOString(),
  action: event.action,
  actorKind: event.actorKind,
  userId: event.userId,
  userName: event.person,
  actorId: event.actorId,
  actorName: event.through,
  resourceType: event.resourceType,
  resourceId: event.resourceId,
  resourceName: event.subject,
  projectName: event.project,
  workspaceId: event.workspaceId,
  workspaceSlug: event.workspace?.slug ?? null,
  workspaceName: event.workspace?.name ?? null,
  ip: event.ip,
  userAgent: event.userAgent,
  details: event.details,
})

export type DescribedEvent = ReturnType<typeof describeEvent>
