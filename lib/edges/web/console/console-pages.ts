import { allows, type WorkspacePermission } from '@/lib/policy/permissions'
import type { Role } from '@/lib/policy/scopes'

/**
 * A console page in the navigation and the command palette. `group` is the heading under which an area lists
 * the page.
 */
export type ConsolePage = {
  label: string
  href: string
  exact?: boolean
  group?: string
  /** A sentence below the page's name. */
  description?: string
  /**
   * Whether the page and its subpages use the full width instead of a column next to the area's navigation.
   * The console's rail contains a link to such a page.
   */
  fullWidth?: boolean
}

/** A group of related pages that do not belong to a workspace. */
export type ConsoleArea = { label: string; pages: ConsolePage[] }

/** The user's own settings. */
export const accountArea: ConsoleArea = {
  label: 'Account',
  pages: [
    { label: 'Profile', href: '/account/profile', description: 'How you appear to others.' },
    {
      label: 'Security',
      href: '/account/security',
      description: 'Your sign-in methods and two-factor authentication.',
    },
    {
      label: 'Notifications',
      href: '/account/notifications',
      description: 'Your notifications and their settings.',
    },
    {
      label: 'Authorized apps',
      href: '/account/apps',
      group: 'Access',
      description: 'Apps that you authorized to access your account.',
    },
    {
      label: 'Connect an agent',
      href: '/account/agents',
      group: 'Access',
      description: 'Claude, Cursor, ChatGPT, or any other client of the Model Context Protocol.',
    },
    {
      label: 'Tokens',
      href: '/account/tokens',
      group: 'Access',
      description: 'For your own scripts and services. Treat them like passwords.',
    },
    {
      label: 'SSH keys',
      href: '/account/ssh-keys',
      group: 'Access',
      description: 'Public keys that you sign in with over SSH.',
    },
    { label: 'Sessions', href: '/account/sessions', group: 'Access', description: 'Where you’re signed in.' },
    {
      label: 'Your data',
      href: '/account/data',
      group: 'Access',
      description: 'Download your data, or delete your account.',
    },
  ],
}

/** The pages for instance admins. */
export const instanceAdminArea: ConsoleArea = {
  label: 'Instance',
  pages: [
    {
      label: 'Health',
      href: '/admin',
      exact: true,
      group: 'Instance',
      description: 'The database and the replicas of this instance.',
    },
    {
      label: 'Activity',
      href: '/admin/activity',
      group: 'Instance',
      description: 'Sign-ins, tokens, and requests over time.',
    },
    { label: 'People', href: '/admin/people', group: 'Directory' },
    { label: 'Workspaces', href: '/admin/workspaces', group: 'Directory' },
    {
      label: 'Apps',
      href: '/admin/apps',
      group: 'Directory',
      description: 'OAuth apps of workspaces, and self-registered apps.',
    },
    {
      label: 'APIs',
      href: '/admin/apis',
      group: 'Directory',
      description: 'Your platform’s services that accept tokens from this instance.',
    },
    {
      label: 'Signing keys',
      href: '/admin/keys',
      group: 'Service',
      description: 'Keys that sign ID tokens. Apps read the public keys from the JWKS endpoint.',
    },
    {
      label: 'Jobs',
      href: '/admin/jobs',
      group: 'Service',
      description: 'Background work, such as cleanup and webhooks.',
    },
    { label: 'Settings', href: '/admin/settings', group: 'Service' },
    {
      label: 'Branding',
      href: '/admin/branding',
      group: 'Service',
      description: 'The look of sign-in, consent, the console, and emails.',
    },
    {
      label: 'Audit log',
      href: '/admin/audit',
      group: 'Service',
      description: 'Changes that users and apps made on this instance.',
    },
  ],
}

const settings: (ConsolePage & { needs: WorkspacePermission })[] = [
  {
    label: 'General',
    href: '',
    exact: true,
    needs: 'workspace:read',
    description: 'Name, URL, and rules of this workspace.',
  },
  {
    label: 'Tokens',
    href: '/tokens',
    group: 'Access',
    needs: 'workspace:manage-tokens',
    description: 'For this workspace or one of its projects. Each acts as the user who created it.',
  },
  { label: 'Apps', href: '/apps', group: 'Access', needs: 'workspace:decide-apps' },
  {
    label: 'Single sign-on',
    href: '/sso',
    group: 'Access',
    needs: 'workspace:decide-apps',
    description: 'Your identity provider and SSO-managed apps.',
  },
  {
    label: 'Developer',
    href: '/developer',
    group: 'Build',
    needs: 'workspace:manage-apps',
    fullWidth: true,
    description: 'OAuth apps sign users in to other services with their account and act on their behalf.',
  },
  {
    label: 'Webhooks',
    href: '/webhooks',
    group: 'Build',
    needs: 'workspace:manage-webhooks',
    description: 'Send events from this workspace to your own server.',
  },
  {
    label: 'Usage',
    href: '/usage',
    group: 'Records',
    needs: 'workspace:manage-apps',
    description: 'Activity of the workspace’s OAuth apps.',
  },
  {
    label: 'Audit log',
    href: '/audit-log',
    group: 'Records',
    needs: 'workspace:read-audit',
    fullWidth: true,
  },
]

/**
 * Returns the workspace settings pages that a role can open.
 * @param home the workspace's path
 * @param role null for a guest, who cannot open any of the pages
 */
export const workspaceSettingsPages = (home: string, role: Role | null): ConsolePage[] =>
  settings
    .filter(({ needs }) => allows(role, needs))
    .map(({ needs: _, ...page }) => ({ ...page, href: `${home}/settings${page.href}` }))
