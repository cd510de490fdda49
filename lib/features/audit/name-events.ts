import { isId, prisma } from '@/lib/base/db/prisma'
import type { AuditEvent } from '@/lib/generated/prisma/client'

type Recorded = Pick<
  AuditEvent,
  'workspaceId' | 'userId' | 'actorId' | 'resourceType' | 'resourceId' | 'details'
>

/**
 * A workspace that an event refers to. If it was deleted, `gone` is true, and `name` and `slug` are its last
 * values.
 */
type NamedWorkspace = { id: string; name: string; slug: string; gone: boolean }

/** The names that belong to the IDs in an event. Each name is null if it is unknown. */
export type EventNames = {
  /** The name of the acting user or, for a change by the server, of the affected user. */
  user: string | null
  /** The name of the app, workspace token, or project token through which the action was performed. */
  through: string | null
  /**
   * The resource's name at the time of the event. If the event contains no name, this is the current name. If
   * that name is also unknown, this is an email address, a URL, or a new environment name from the event.
   */
  subject: string | null
  project: string | null
  workspace: NamedWorkspace | null
}

/**
 * Adds names to audit events. Uses one statement for all events. The caller must first check that the actor
 * can read the events. Actors who can read an event can also see its names. Account tokens remain unnamed,
 * because other users, such as workspace admins, cannot see a user's account tokens.
 * @returns the events in the given order, with their names
 */
export async function nameEvents<Event extends Recorded>(
  events: readonly Event[],
): Promise<(Event & EventNames)[]> {
  const read = events.map((event) => ({ event, ...readDetails(event) }))
  const names = await namesOf(
    read.flatMap(({ event, subjectId, projectId }) => [
      event.workspaceId,
      event.userId,
      event.actorId,
      subjectId,
      projectId,
    ]),
  )
  const nameOf = (handle: string | null | undefined) => names.get(handle ?? '')?.name
  return read.map(({ event, subjectId, projectId, called, described }) => ({
    ...event,
    user: nameOf(event.userId) ?? null,
    through: nameOf(event.actorId) ?? null,
    subject: called ?? nameOf(subjectId) ?? described ?? null,
    project: nameOf(projectId) ?? null,
    workspace: workspaceFrom(names.get(event.workspaceId ?? '')),
  }))
}

type Name = { id: string; name: string; slug: string | null; gone: boolean }

const workspaceFrom = (row: Name | undefined): NamedWorkspace | null =>
  row?.slug != null ? { ...row, slug: row.slug } : null

/**
 * Returns the names that an event's details contain, and the IDs of the resource and the project, whose names
 * must be looked up.
 */
function readDetails({ resourceType, resourceId, details }: Recorded) {
  const { name, email, url, to, clientId, projectId } = (details ?? {}) as Record<string, unknown>
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return {
    // An authorization has no name, so the app's name is used.
    subjectId: (resourceType === 'authorization' && text(clientId)) || resourceId,
    projectId: text(projectId),
    called: text(name),
    described: text(email) ?? text(url) ?? (resourceType === 'environment' ? text(to) : undefined),
  }
}

async function namesOf(handles: readonly (string | null | undefined)[]): Promise<Map<string, Name>> {
  const wanted = [...new Set(handles.filter((handle) => typeof handle === 'string'))]
  if (wanted.length === 0) return new Map()
  const ids = wanted.filter(isId)
  const rows = await prisma().$queryRaw<Name[]>`
    SELECT id::text, name, NULL AS slug, false AS gone FROM users WHERE id = ANY(${ids}::uuid[])
    UNION ALL SELECT id::text, name, slug, false FROM workspaces WHERE id = ANY(${ids}::uuid[])
    UNION ALL SELECT id::text, name, slug, true FROM deleted_workspaces WHERE id = ANY(${ids}::uuid[])
    UNION ALL SELECT id::text, name, NULL, false FROM projects WHERE id = ANY(${ids}::uuid[])
    UNION ALL SELECT id::text, name, NULL, false FROM api_tokens WHERE id = ANY(${ids}::uuid[]) AND kind <> 'ACCOUNT'
    UNION ALL SELECT id, name, NULL, false FROM oauth_clients WHERE id = ANY(${wanted}::text[])`
  return new Map(rows.map((row) => [row.id, row]))
}
