import type { InstalledApp } from '@/lib/features/app-access/list-installed'
import { capped, higher, type Role, roleFromScopes } from '@/lib/policy/scopes'
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
  const role = roleHere(app)
  const { admission } = app
  // Nobody else lets it in, so that what becomes of the installation becomes of the app.
  const alone = app.people === 0 && app.managed === null ? app.installation : null
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
    on: placesOf(app),
    lastUsedAt: app.lastUsedAt,
    requests: app.requests,
    installed: app.installation !== null,
    managed: app.managed !== null,
    state: app.disabled
      ? { text: 'Disabled', tone: 'danger' }
      : admission.kind === 'closed'
        ? closed[admission.reason]
        : alone?.suspendedAt
          ? { text: 'Suspended', tone: 'warning' }
          : admission.kind === 'within'
            ? { text: 'Approved', tone: 'success' }
            : { text: alone ? 'Installed' : 'Let in', tone: 'neutral' },
  }
}

/** The most it may do: for people as far as an approval goes, by itself as far as it is installed. */
function roleHere({ scopes, managed, installation, admission }: InstalledApp): Role | undefined {
  const forPeople = most([...scopes, ...(managed?.scopes ?? [])])
  const approved = admission.kind === 'within' ? capped(forPeople, admission.projectRole) : forPeople
  return higher(approved, most(installation?.scopes ?? []))
}

const most = (scopes: string[]) => {
  const all = new Set(scopes)
  return higher(roleFromScopes(all, 'workspace'), roleFromScopes(all, 'project'))
}

function placesOf({ whole, managed, installation, projects, admission }: InstalledApp): string {
  const approved = admission.kind === 'within' ? admission.projectIds : null
  if (installation && !installation.projectIds) return 'The workspace'
  if ((whole || managed) && !approved) return 'The workspace'
  const count = whole || managed ? (approved?.length ?? 0) : projects
  return count === 0 ? '' : count === 1 ? '1 project' : `${count} projects`
}
