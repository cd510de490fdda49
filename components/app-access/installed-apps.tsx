import type { ReactNode } from 'react'
import type { InstalledApp } from '@/lib/features/app-access/list-installed'
import { higher, lowerRole, type Role, roleFromScopes } from '@/lib/policy/scopes'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { ShieldCheck } from '../ui/icon'
import { InstalledTable, type ListedInstalled } from './installed-table'
import { userNames } from './policy-review'

const closed = {
  blocked: { text: 'Blocked', tone: 'danger' },
  'own-apps-only': { text: 'Not allowed', tone: 'warning' },
  'not-approved': { text: 'Not approved', tone: 'warning' },
  ended: { text: 'Approval expired', tone: 'warning' },
} as const

const may = { VIEWER: 'Read', MEMBER: 'Read and write', ADMIN: 'Administer' }

/** Returns the row of an installed app. */
export function listedInstalled(app: InstalledApp): ListedInstalled {
  const role = roleHere(app)
  const { admission } = app
  // The installation, if it is the app's only access. The state then shows whether the installation is
  // suspended, unless the app is disabled or not allowed.
  const alone = app.users === 0 && app.managed === null ? app.installation : null
  return {
    id: app.id,
    name: app.name,
    logoUrl: app.logoUrl,
    logoDarkUrl: app.logoDarkUrl,
    runBy: app.runBy ? `by ${app.runBy.name}` : 'Self-registered, not verified',
    verified: app.verified,
    allowedBy:
      app.users > 0
        ? userNames(app.names, app.users)
        : app.installation || app.managed
          ? 'An admin'
          : 'No one',
    may: role ? may[role] : 'None',
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
            : { text: alone ? 'Installed' : 'Allowed', tone: 'neutral' },
  }
}

/**
 * Returns the highest role that an app has in the workspace or its projects, either for users or through its
 * installation. An approval limits the role for users. Returns undefined if the app has no role.
 */
function roleHere({ scopes, managed, installation, admission }: InstalledApp): Role | undefined {
  const forUsers = most([...scopes, ...(managed?.scopes ?? [])])
  const approved = admission.kind === 'within' ? lowerRole(forUsers, admission.projectRole) : forUsers
  return higher(approved, most(installation?.scopes ?? []))
}

/**
 * Returns the access that a user's scopes and selection allow, such as "Read". If the selected projects allow
 * a higher role than the workspace, returns both, such as "Workspace: read · Projects: read and write".
 * @param selected whether the user selected the workspace, and which of its projects
 */
export function accessOf(scopes: string[], selected: { whole: boolean; projects: unknown[] }): string {
  const all = new Set(scopes)
  const workspace = selected.whole ? roleFromScopes(all, 'workspace') : undefined
  // The role in the workspace also applies to its projects.
  const project = selected.projects.length > 0 ? higher(workspace, roleFromScopes(all, 'project')) : undefined
  if (workspace && project && workspace !== project) {
    return `Workspace: ${may[workspace].toLowerCase()} · Projects: ${may[project].toLowerCase()}`
  }
  const role = workspace ?? project
  return role ? may[role] : 'None'
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

/** Lists installed apps. @param footer the number of apps and the links to other pages */
export function InstalledSection({
  apps,
  path,
  footer,
}: {
  apps: ListedInstalled[]
  path: string
  footer: ReactNode
}) {
  return (
    <Section
      title="Installed apps"
      description="Apps that members use, and apps that admins approved or blocked."
      flush
    >
      {apps.length === 0 ? (
        <EmptyState icon={ShieldCheck} title="No apps yet">
          Apps appear here after a member authorizes them or an admin installs them.
        </EmptyState>
      ) : (
        <>
          <InstalledTable apps={apps} path={path} />
          {footer}
        </>
      )}
    </Section>
  )
}
