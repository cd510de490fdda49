import { allows, type WorkspacePermission } from '@/lib/policy/permissions'
import type { Role } from '@/lib/policy/roles'

/** A page of the console as navigation and command palette name it. */
export type ConsolePage = { label: string; href: string; exact?: boolean }

/** Pages that belong together beside the workspaces. */
export type ConsoleArea = { label: string; pages: ConsolePage[] }

/** A person's own settings. */
export const accountArea: ConsoleArea = {
  label: 'Account',
  pages: [
    { label: 'Profile', href: '/account/profile' },
    { label: 'Security', href: '/account/security' },
    { label: 'Tokens', href: '/account/tokens' },
    { label: 'SSH keys', href: '/account/ssh-keys' },
    { label: 'Authorized apps', href: '/account/apps' },
    { label: 'Sessions', href: '/account/sessions' },
    { label: 'Notifications', href: '/account/notifications' },
  ],
}

/** What those who run the instance see. */
export const operatorArea: ConsoleArea = {
  label: 'Instance',
  pages: [
    { label: 'Health', href: '/operator', exact: true },
    { label: 'Activity', href: '/operator/activity' },
    { label: 'People', href: '/operator/people' },
    { label: 'Workspaces', href: '/operator/workspaces' },
    { label: 'Apps', href: '/operator/apps' },
    { label: 'Signing keys', href: '/operator/keys' },
    { label: 'Jobs', href: '/operator/jobs' },
    { label: 'Settings', href: '/operator/settings' },
    { label: 'Audit log', href: '/operator/audit' },
  ],
}

const settings: (ConsolePage & { needs: WorkspacePermission })[] = [
  { label: 'General', href: '', exact: true, needs: 'workspace:read' },
  { label: 'Tokens', href: '/tokens', needs: 'workspace:manage-tokens' },
  { label: 'Apps', href: '/apps', needs: 'workspace:decide-apps' },
  { label: 'Developer', href: '/developer', needs: 'workspace:manage-apps' },
  { label: 'Webhooks', href: '/webhooks', needs: 'workspace:manage-webhooks' },
  { label: 'Audit log', href: '/audit-log', needs: 'workspace:read-audit' },
]

/**
 * The pages of a workspace's settings that a role opens; none for a guest.
 * @param home the workspace's address
 */
export const workspaceSettingsPages = (home: string, role: Role | null): ConsolePage[] =>
  settings
    .filter(({ needs }) => allows(role, needs))
    .map(({ needs: _, ...page }) => ({ ...page, href: `${home}/settings${page.href}` }))
