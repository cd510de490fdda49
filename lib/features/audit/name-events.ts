import { isId, prisma } from '@/lib/base/db/prisma'
import type { AuditEvent } from '@/lib/generated/prisma/client'

type Recorded = Pick<
  AuditEvent,
  'workspaceId' | 'userId' | 'actorId' | 'resourceType' | 'resourceId' | 'details'
>

/** A workspace as an event names it; one that is gone as it was called last. */
type NamedWorkspace = { id: string; name: string; slug: string; gone: boolean }

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
  /** The workspace it was done in. */
  workspace: NamedWorkspace | null
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
    person: nameOf(event.userId) ?? null,
    through: nameOf(event.actorId) ?? null,
    subject: called ?? nameOf(subjectId) ?? described ?? null,
    project: nameOf(projectId) ?? null,
    workspace: workspaceFrom(names.get(event.workspaceId ?? '')),
  }))
}

type Name = { id: string; name: string; slug: string | null; gone: boolean }

const workspaceFrom = (row: Name | undefined): NamedWorkspace | null =>
  row?.slug != null ? { ...row, slug: row.slug } : null

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
