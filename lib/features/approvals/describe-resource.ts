import { isId, prisma } from '@/lib/base/db/prisma'
import { nameEvents } from '@/lib/features/audit/name-events'

/** A rename of a resource, with a description of the user or app that renamed it. */
type Rename = { from: string; to: string; at: Date; by: string }

/**
 * Facts that help the user identify the resource that a request is about. The resource's name is not enough,
 * because the requesting app might have chosen it.
 */
export type ResourceFacts = {
  type: string
  id: string
  name: string
  /** The name of the environment's project. Undefined if the resource is not an environment. */
  within?: string
  /**
   * The path of the resource's page in the console. For an environment, this is the project's page. Undefined
   * for an app that belongs to another workspace.
   */
  href?: string
  createdAt: Date
  /** Descriptions of the resource's contents and settings, such as "2 members" or "Redirect URIs: none". */
  contains: string[]
  /**
   * The time of the latest change to the resource, or of the latest audit event about the resource or its
   * contents. Null if neither time is known.
   */
  lastActivityAt: Date | null
  /** The names of the variables in the environment. Undefined if the resource is not an environment. */
  variables?: string[]
  /** Up to five of the latest renames, newest first. */
  renames: Rename[]
}

type Found = Omit<ResourceFacts, 'type' | 'id' | 'renames' | 'lastActivityAt'> & {
  updatedAt: Date | null
  /** The IDs of the resource and of its contents, which are used to find the latest audit event. */
  ids: string[]
}

/**
 * Returns facts about a resource in a workspace.
 * @param workspaceId the request's workspace, or null for a request about the user's account. A resource that
 * has since moved to another workspace is not described.
 * @returns undefined if `workspaceId` is null or the resource no longer exists in that workspace
 */
export async function describeResource(
  { type, id }: { type: string; id: string },
  workspaceId: string | null,
): Promise<ResourceFacts | undefined> {
  const found = workspaceId && (await find[type]?.(id, workspaceId))
  if (!found) return undefined
  const { ids, updatedAt, ...facts } = found
  const [renames, latest] = await Promise.all([findRenames(workspaceId, id), findLatest(workspaceId, ids)])
  const times = [updatedAt, latest].filter((at) => at !== null).map((at) => at.getTime())
  return { type, id, ...facts, renames, lastActivityAt: times.length ? new Date(Math.max(...times)) : null }
}

/**
 * Returns the name of a resource, for the notification and the audit log. Returns undefined if
 * `describeResource` does not find the resource.
 */
export const nameResource = async (
  { type, id }: { type: string; id: string },
  workspaceId: string | null,
): Promise<string | undefined> => (workspaceId ? (await find[type]?.(id, workspaceId))?.name : undefined)

const find: Record<string, (id: string, workspaceId: string) => Promise<Found | undefined>> = {
  workspace: async (id) => {
    if (!isId(id)) return undefined
    const counted = { members: true, projects: true, clients: true, webhooks: true }
    const found = await prisma().workspace.findUnique({
      where: { id },
      include: { _count: { select: counted } },
    })
    if (!found) return undefined
    const { members, projects, clients, webhooks } = found._count
    return {
      ...found,
      href: `/workspaces/${found.slug}`,
      contains: [
        count(projects, 'project'),
        count(members, 'member'),
        count(clients, 'OAuth app'),
        count(webhooks, 'webhook'),
      ],
      ids: [
        id,
        ...(await prisma().project.findMany({ where: { workspaceId: id }, take: 100 })).map((p) => p.id),
      ],
    }
  },
  project: async (id, workspaceId) => {
    if (!isId(id)) return undefined
    const found = await prisma().project.findFirst({
      where: { id, workspaceId },
      include: {
        workspace: true,
        environments: true,
        _count: { select: { members: true, apiTokens: true } },
      },
    })
    if (!found) return undefined
    const inEnvironments = { environmentId: { in: found.environments.map((each) => each.id) } }
    const variables = await prisma().variable.count({ where: inEnvironments })
    const { members, apiTokens } = found._count
    const names = found.environments.map((each) => each.name).join(', ')
    return {
      ...found,
      href: `/workspaces/${found.workspace.slug}/projects/${id}`,
      contains: [
        count(found.environments.length, 'environment') + (names && `: ${names}`),
        count(variables, 'variable'),
        count(members, 'project member'),
        count(apiTokens, 'project token'),
      ],
      ids: [id, ...found.environments.map((each) => each.id)],
    }
  },
  environment: async (id, workspaceId) => {
    if (!isId(id)) return undefined
    const found = await prisma().environment.findFirst({
      where: { id, project: { workspaceId } },
      include: {
        project: { include: { workspace: true } },
        variables: { select: { name: true, updatedAt: true }, orderBy: { name: 'asc' } },
      },
    })
    if (!found) return undefined
    return {
      ...found,
      within: found.project.name,
      href: `/workspaces/${found.project.workspace.slug}/projects/${found.projectId}`,
      contains: [count(found.variables.length, 'variable')],
      variables: found.variables.map(({ name }) => name),
      updatedAt: [found.updatedAt, ...found.variables.map((each) => each.updatedAt)].reduce((a, b) =>
        a > b ? a : b,
      ),
      ids: [id],
    }
  },
  webhook: async (id, workspaceId) => {
    if (!isId(id)) return undefined
    const found = await prisma().webhook.findFirst({
      where: { id, workspaceId },
      include: { workspace: true },
    })
    if (!found) return undefined
    const { origin, pathname } = new URL(found.url)
    return {
      ...found,
      name: `${origin}${pathname}`,
      href: `/workspaces/${found.workspace.slug}/settings/webhooks/${id}`,
      contains: [`Events: ${found.events.join(', ')}`],
      ids: [id],
    }
  },
  oauth_app: async (id, workspaceId) => {
    const offered = { offer: { workspaceId } }
    const found = await prisma().oAuthClient.findFirst({
      where: { id, OR: [{ workspaceId }, offered] },
      include: { workspace: true, _count: { select: { authorizations: true } } },
    })
    if (!found) return undefined
    const own = found.workspaceId === workspaceId && found.workspace
    return {
      ...found,
      ...(own && { href: `/workspaces/${own.slug}/settings/developer/${id}/overview` }),
      contains: [
        count(found._count.authorizations, 'user'),
        ...(own ? [] : [`Offered by ${found.workspace?.name ?? 'no workspace'}`]),
        `Redirect URIs: ${found.redirectUris.join(', ') || 'none'}`,
      ],
      ids: [id],
    }
  },
}

const count = (n: number, what: string): string => `${n.toLocaleString('en-US')} ${what}${n === 1 ? '' : 's'}`

/** The audit events that can record a rename. */
const renaming = ['project.updated', 'environment.renamed', 'workspace.updated', 'oauth_app.updated']

async function findRenames(workspaceId: string, resourceId: string): Promise<Rename[]> {
  const events = await prisma().auditEvent.findMany({
    // Other changes of a resource are recorded with its name, but without `from`.
    where: {
      workspaceId,
      resourceId,
      action: { in: renaming },
      details: { path: ['from'], string_contains: '' },
    },
    orderBy: { id: 'desc' },
    take: 5,
  })
  const named = await nameEvents(events)
  return named.map(({ details, createdAt, user, through, actorKind }) => {
    const { name, to = name, from } = details as Record<string, string>
    return { from: String(from), to: String(to), at: createdAt, by: actorOf({ user, through, actorKind }) }
  })
}

function actorOf(event: { user: string | null; through: string | null; actorKind: string }): string {
  const user = event.user ?? 'A deleted user'
  if (event.actorKind === 'oauth') return `the app ${event.through ?? '(deleted)'}, for ${user}`
  if (event.actorKind === 'installation') return `the installed app ${event.through ?? '(deleted)'}`
  if (event.actorKind === 'session') return user
  return `${user}, with an API token`
}

async function findLatest(workspaceId: string, ids: string[]): Promise<Date | null> {
  const latest = await prisma().auditEvent.findFirst({
    where: { workspaceId, resourceId: { in: ids } },
    orderBy: { id: 'desc' },
    select: { createdAt: true },
  })
  return latest?.createdAt ?? null
}
