import type { Db } from '@/lib/base/db/prisma'
import type { AuditRecord, SystemActor } from '@/lib/features/audit/audit-record'
import type { Actor } from '@/lib/policy/actor'
import { rolesWith } from '@/lib/policy/permissions'
import { askNotice } from './ask-notice'
import type { ruledTypes } from './input'
import { type Notice, notify } from './notify'
import { offerAnswered, offerMade } from './offer-notices'
import { peopleWith } from './people-with'

type Event = { actor: Actor | SystemActor; record: AuditRecord }
type Person = { id: string; name: string; email: string }

/** Which recorded events people are told about, and who is told what. */
const announcements: Record<string, (tx: Db, event: Event) => Promise<Notice[]>> = {
  'authorization.granted': async (tx, { actor, record }) => {
    const found = await findPersonAndApp(tx, actor.userId, record)
    if (!found) return []
    const { app, ...person } = found
    const own: Notice = {
      to: person,
      type: 'APP_AUTHORIZED',
      title: `${app} can now access your account`,
      body: `You allowed ${app} to act for you. You can change what it may do, or revoke it, at any time.`,
      resource: record.resource,
      path: '/account/apps',
      inApp: true,
      email: false,
    }
    const shared = await admins(tx, 'APP_AUTHORIZED', listOf(record.details?.workspaceIds), person.id)
    return [
      own,
      ...shared.map((rule) => ({
        ...rule,
        type: 'APP_AUTHORIZED' as const,
        title: `${app} can now access ${rule.workspaceName}`,
        body: `${person.name} allowed ${app} to access the workspace ${rule.workspaceName}.`,
        resource: record.resource,
        path: `/workspaces/${rule.slug}`,
      })),
    ]
  },

  'authorization.revoked_after_token_reuse': async (tx, { actor, record }) => {
    const found = await findPersonAndApp(tx, actor.userId, record)
    if (!found) return []
    const { app, ...person } = found
    const body = `A token of ${app} was used again after it had been replaced, so somebody else may have a copy. The app's access was revoked; if you use it, sign in to it again.`
    return [
      {
        to: person,
        type: 'TOKEN_REUSED',
        title: `The access of ${app} was revoked to protect your account`,
        body,
        resource: record.resource,
        path: '/account/apps',
        inApp: true,
        email: true,
      },
    ]
  },

  'app.requested': async (tx, { actor, record }) => {
    const person = await findPerson(tx, actor.userId)
    if (!person || !record.workspaceId) return []
    const { name, reason } = record.details ?? {}
    return (await peopleWith(tx, 'workspace:decide-apps', record.workspaceId)).map(({ user, workspace }) => ({
      to: user,
      workspaceId: workspace.id,
      type: 'APP_REQUESTED' as const,
      title: `${person.name} asks to let ${name} into ${workspace.name}`,
      body: reason ? `They say: ${reason}` : 'They gave no reason.',
      resource: record.resource,
      path: `/workspaces/${workspace.slug}/settings/apps`,
      inApp: true,
      email: true,
    }))
  },

  'app.installed': async (tx, { actor, record }) => {
    const person = await findPerson(tx, actor.userId)
    if (!person || !record.workspaceId) return []
    const { name } = record.details ?? {}
    return (await admins(tx, 'APP_AUTHORIZED', [record.workspaceId], person.id)).map((rule) => ({
      ...rule,
      type: 'APP_AUTHORIZED' as const,
      title: `${name} was installed in ${rule.workspaceName}`,
      body: `${person.name} installed ${name}: it acts for the workspace by itself until somebody uninstalls it.`,
      resource: record.resource,
      path: `/workspaces/${rule.slug}/settings/apps`,
    }))
  },

  'ask.opened': async (tx, { actor, record }) => {
    const person = await findPerson(tx, actor.userId)
    return person ? [askNotice(person, record)] : []
  },

  'oauth_app.offered': (tx, { record }) => offerMade(tx, record),
  'oauth_app.offer_declined': (tx, { record }) => offerAnswered(tx, record, 'declined'),
  'oauth_app.transferred': (tx, { record }) => offerAnswered(tx, record, 'accepted'),

  'app.approved': (tx, { record }) => tellAskers(tx, record, 'approved'),
  'app.request_declined': (tx, { record }) => tellAskers(tx, record, 'declined'),

  'member.added': async (tx, { actor, record }) => {
    const person = await findPerson(tx, record.resource.id)
    if (!person || !record.workspaceId) return []
    const rules = await admins(tx, 'MEMBER_ADDED', [record.workspaceId], actor.userId ?? undefined)
    const { name } = await tx.workspace.findUniqueOrThrow({ where: { id: record.workspaceId } })
    const about = { type: 'MEMBER_ADDED' as const, resource: record.resource }
    const own: Notice[] =
      person.id === actor.userId
        ? []
        : [
            {
              ...about,
              to: person,
              workspaceId: record.workspaceId,
              title: `You were added to ${name}`,
              body: `You have a new role in ${name}.`,
              path: '/workspaces',
              inApp: true,
              email: true,
            },
          ]
    return [
      ...own,
      ...rules
        .filter((rule) => rule.to.id !== person.id)
        .map((rule) => ({
          ...rule,
          ...about,
          title: `${person.name} joined ${rule.workspaceName}`,
          body: `${person.name} has a role in ${rule.workspaceName} now.`,
          path: `/workspaces/${rule.slug}/members`,
        })),
    ]
  },
}

/**
 * Tells people about an event that was just recorded, as their rules have it.
 * @param tx the transaction the event is recorded in
 */
export async function announceEvent(tx: Db, actor: Actor | SystemActor, record: AuditRecord): Promise<void> {
  const announcement = announcements[record.action]
  if (announcement) await notify(tx, await announcement(tx, { actor, record }))
}

const findPerson = (tx: Db, id: string | null | undefined): Promise<Person | null> =>
  id
    ? tx.user.findUnique({ where: { id }, select: { id: true, name: true, email: true } })
    : Promise.resolve(null)

const findPersonAndApp = async (
  tx: Db,
  id: string | null | undefined,
  { details }: AuditRecord,
): Promise<(Person & { app: string }) | undefined> => {
  const [found] = await tx.$queryRaw<(Person & { app: string })[]>`
    SELECT u.id, u.name, u.email, COALESCE(c.name, 'An app') AS app
      FROM users u LEFT JOIN oauth_clients c ON c.id = ${String(details?.clientId)}
     WHERE u.id = ${id ?? null}::uuid`
  return found
}

/** Whoever asked for an app learns what an admin decided. */
async function tellAskers(tx: Db, record: AuditRecord, how: 'approved' | 'declined'): Promise<Notice[]> {
  const { name, word, askedBy } = record.details ?? {}
  const ids = listOf(askedBy)
  const workspace =
    record.workspaceId &&
    ids.length > 0 &&
    (await tx.workspace.findUnique({ where: { id: record.workspaceId } }))
  if (!workspace) return []
  const people = await tx.user.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true, email: true },
  })
  const next = how === 'approved' ? 'You can let it in now: start again in the app.' : 'It stays outside.'
  return people.map((to) => ({
    to,
    workspaceId: workspace.id,
    type: 'APP_DECIDED' as const,
    title: `${name} was ${how} for ${workspace.name}`,
    body: word ? `${next} The admin says: ${word}` : next,
    resource: record.resource,
    path: `/workspaces/${workspace.slug}`,
    inApp: true,
    email: true,
  }))
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

type Rule = Pick<Notice, 'to' | 'workspaceId' | 'inApp' | 'email'> & { workspaceName: string; slug: string }

/** Who may set rules for workspaces (list-rules-by-workspace.ts), except who did it, with how they want to be told. */
async function admins(
  tx: Db,
  type: (typeof ruledTypes)[number],
  workspaceIds: string[],
  except: string | undefined,
): Promise<Rule[]> {
  if (workspaceIds.length === 0) return []
  const members = await tx.workspaceMember.findMany({
    where: {
      workspaceId: { in: workspaceIds },
      role: { in: rolesWith('workspace:manage-members') },
      userId: { not: except },
    },
    select: { workspaceId: true, userId: true },
  })
  if (members.length === 0) return []
  const userId = { in: members.map((member) => member.userId) }
  const [workspaces, users] = await Promise.all([
    tx.workspace.findMany({
      where: { id: { in: members.map((member) => member.workspaceId) } },
      select: { id: true, name: true, slug: true, notificationRules: { where: { type, userId } } },
    }),
    tx.user.findMany({ where: { id: userId }, select: { id: true, name: true, email: true } }),
  ])
  return members
    .flatMap((member) => {
      const workspace = workspaces.find(({ id }) => id === member.workspaceId)
      const to = users.find(({ id }) => id === member.userId)
      if (!workspace || !to) return []
      const rule = workspace.notificationRules.find((each) => each.userId === to.id)
      return {
        to,
        workspaceId: workspace.id,
        workspaceName: workspace.name,
        slug: workspace.slug,
        inApp: rule?.inApp ?? true,
        email: rule?.email ?? false,
      }
    })
    .filter((rule) => rule.inApp || rule.email)
}
