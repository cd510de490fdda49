import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { readUsageOf } from '@/lib/features/apps/activity/read-usage'
import { profileOf } from '@/lib/features/apps/app-profile'
import { nameEvents } from '@/lib/features/audit/name-events'
import type { Actor } from '@/lib/policy/actor'
import { allowedTo } from '@/lib/policy/app-status'
import { authorizeInstance } from '@/lib/policy/authorize'
import { rolesWith } from '@/lib/policy/permissions'

/** The maximum number of admins and of events on an app's page. */
const few = 20

/** The actions that record decisions about an app, or changes that can require a new decision. */
const decisive = [
  'oauth_app.created',
  'oauth_app.verified',
  'oauth_app.unverified',
  'oauth_app.verification_declined',
  'oauth_app.approved',
  'oauth_app.disabled',
  'oauth_app.enabled',
  'oauth_app.transferred',
  'oauth_app.transfer_finished',
  'oauth_app.domain_verified',
  'oauth_app.domain_lost',
  'oauth_app.domain_removed',
  'oauth_app.updated',
]

const scopesAllowed = statement<{ scope: string; users: number }, [clientId: string]>(
  'admin-app-scopes',
  `SELECT s.scope, count(*)::int AS users FROM authorizations z, unnest(z.scopes) AS s(scope)
    WHERE z.client_id = $1 GROUP BY s.scope ORDER BY users DESC, s.scope`,
)

/**
 * Returns an app with the details that an instance admin needs for a decision. These details include the
 * app's redirect URIs, scopes, usage, admins, and latest decisions. `moreAdmins` is whether the workspace has
 * more admins than returned.
 * @throws AppError NOT_FOUND, and the errors of `authorizeInstance`
 */
export async function getOperatedApp(actor: Actor, id: string) {
  authorizeInstance(actor)
  const app = await prisma().oAuthClient.findUnique({
    where: { id },
    include: {
      workspace: true,
      domain: true,
      _count: { select: { authorizations: true, installations: true } },
    },
  })
  if (!app) throw new AppError('NOT_FOUND', 'The app was not found.')
  const [scopes, lastUsedAt, [days = []], admins, events] = await Promise.all([
    scopesAllowed(id),
    lastUseOf(id),
    readUsageOf([id]),
    app.workspaceId ? adminsOf(app.workspaceId) : [],
    prisma().auditEvent.findMany({
      where: { resourceType: 'oauth_app', resourceId: id, action: { in: decisive } },
      omit: { userAgent: true, ip: true },
      orderBy: { id: 'desc' },
      take: few,
    }),
  ])
  const { _count: counts, ...rest } = app
  return {
    ...rest,
    counts,
    profile: profileOf(app),
    mayAsk: allowedTo(id, app.allowedScopes),
    scopes,
    lastUsedAt,
    requests: days.reduce((sum, day) => sum + day.requests, 0),
    errors: days.reduce((sum, day) => sum + day.errors, 0),
    admins: admins.slice(0, few),
    moreAdmins: admins.length > few,
    events: await nameEvents(events),
  }
}

/**
 * Returns the last time that an app acted for a user, for a workspace that installed it, or as an SSO-managed
 * app. Ignores authorizations, installations, and SSO-managed apps that were removed. Returns null if none of
 * the remaining ones was used.
 */
async function lastUseOf(clientId: string): Promise<Date | null> {
  const last = { where: { clientId }, _max: { lastUsedAt: true } } as const
  const uses = await Promise.all([
    prisma().authorization.aggregate(last),
    prisma().installation.aggregate(last),
    prisma().managedApp.aggregate(last),
  ])
  const times = uses.flatMap(({ _max: { lastUsedAt } }) => lastUsedAt?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.max(...times))
}

/** Returns the admins of a workspace, earliest members first, at most one more than an app's page shows. */
const adminsOf = async (workspaceId: string) =>
  (
    await prisma().workspaceMember.findMany({
      where: { workspaceId, role: { in: rolesWith('workspace:manage-apps') } },
      select: { user: { select: { id: true, name: true, email: true, emailVerifiedAt: true } } },
      orderBy: { createdAt: 'asc' },
      take: few + 1,
    })
  ).map(({ user }) => user)
