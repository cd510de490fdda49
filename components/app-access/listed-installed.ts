import type { InstalledApp } from '@/lib/features/app-access/list-installed'
import { roleFromScopes } from '@/lib/policy/scopes'
import type { ListedInstalled } from './installed-table'

const closed = {
  blocked: { text: 'Blocked', tone: 'danger' },
  'own-apps-only': { text: 'Kept out', tone: 'warning' },
  'not-approved': { text: 'Not approved', tone: 'warning' },
  ended: { text: 'Approval ended', tone: 'warning' },
} as const

const may = { VIEWER: 'Read', MEMBER: 'Read and write', ADMIN: 'Administer' }

/** An installed app in the words of its row. */
export function listedInstalled(app: InstalledApp): ListedInstalled {
  const scopes = new Set([...app.scopes, ...(app.installation?.scopes ?? []), ...(app.managed?.scopes ?? [])])
  const role = roleFromScopes(scopes, 'workspace') ?? roleFromScopes(scopes, 'project')
  const { admission } = app
  return {
    id: app.id,
    name: app.name,
    logoUrl: app.logoUrl,
    logoDarkUrl: app.logoDarkUrl,
    runBy: app.runBy ? `by ${app.runBy.name}` : 'Registered itself, not verified',
    verified: app.verified,
    people: app.people,
    names: app.names,
    may: role ? may[role] : 'Nothing here',
    on:
      app.whole || app.managed || (app.installation && !app.installation.projectIds)
        ? 'The workspace'
        : app.projects === 0
          ? ''
          : app.projects === 1
            ? '1 project'
            : `${app.projects} projects`,
    lastUsedAt: app.lastUsedAt,
    requests: app.requests,
    installed: app.installation !== null,
    managed: app.managed !== null,
    state: app.disabled
      ? { text: 'Disabled', tone: 'danger' }
      : admission.kind === 'closed'
        ? closed[admission.reason]
        : app.installation?.suspendedAt && app.people === 0
          ? { text: 'Suspended', tone: 'warning' }
          : admission.kind === 'within'
            ? { text: 'Approved', tone: 'success' }
            : { text: 'Let in', tone: 'neutral' },
  }
}
