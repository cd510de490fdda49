import { prisma } from '@/lib/base/db/prisma'
import type { AuditEvent } from '@/lib/generated/prisma/client'
import { isId } from '@/lib/policy/require'

type Recorded = Pick<AuditEvent, 'userId' | 'actorId' | 'resourceType' | 'resourceId' | 'details'>

/** What the ids of an event stand for; null where nobody knows any more. */
export type EventNames = {
  /** Who did it. */
  person: string | null
  /** The app, or the token of a workspace or project, through which it was done. */
  through: string | null
  /** What it was done to: as it was called then where that is recorded, else as it is called now. */
  subject: string | null
  /** The project it was done in. */
  project: string | null
}

/**
 * Says in words what events of an audit log speak of. One statement, however many they are. The caller has read the
 * events, so may know what they name; tokens that belong to a person alone stay unnamed.
 * @returns the events in their order, each with its names
 */
export async function nameEvents<Event extends Recorded>(
  events: readonly Event[],
): Promise<(Event & EventNames)[]> {
  const read = events.map((event) => ({ event, ...readDetails(event) }))
  const names = await namesOf(
    read.flatMap(({ event, subjectId, projectId }) => [event.userId, event.actorId, subjectId, projectId]),
  )
  return read.map(({ event, subjectId, projectId, called, described }) => ({
    ...event,
    person: names.get(event.userId ?? '') ?? null,
    through: names.get(event.actorId ?? '') ?? null,
    subject: called ?? names.get(subjectId) ?? described ?? null,
    project: names.get(projectId ?? '') ?? null,
  }))
}

/** What an event itself says of its names. */
function readDetails({ resourceType, resourceId, details }: Recorded) {
  const { name, email, url, to, clientId, projectId } = (details ?? {}) as Record<string, unknown>
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return {
    // An authorization has no name but its app's.
    subjectId: (resourceType === 'authorization' && text(clientId)) || resourceId,
    projectId: text(projectId),
    called: text(name),
    described: text(email) ?? text(url) ?? (resourceType === 'environment' ? text(to) : undefined),
  }
}

async function namesOf(handles: readonly (string | null | undefined)[]): Promise<Map<string, string>> {
  const wanted = [...new Set(handles.filter((handle) => typeof handle === 'string'))]
  if (wanted.length === 0) return new Map()
  const ids = wanted.filter(isId)
  const rows = await prisma().$queryRaw<{ id: string; name: string }[]>`
    SELECT id::text, name FROM users WHERE id = ANY(${ids}::uuid[])
    UNION ALL SELECT id::text, name FROM workspaces WHERE id = ANY(${ids}::uuid[])
    UNION ALL SELECT id::text, name FROM projects WHERE id = ANY(${ids}::uuid[])
    UNION ALL SELECT id::text, name FROM api_tokens WHERE id = ANY(${ids}::uuid[]) AND kind <> 'ACCOUNT'
    UNION ALL SELECT id, name FROM oauth_clients WHERE id = ANY(${wanted}::text[])`
  return new Map(rows.map(({ id, name }) => [id, name]))
}
