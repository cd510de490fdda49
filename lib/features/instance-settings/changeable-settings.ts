import type { InstanceKey } from '@/lib/base/config/instance-settings'

const address = { most: 500, text: 'https://example.com/…', mono: true }

/** How the service looks and speaks, as the page about it has it. See ADR 0041. */
const brandingGroups: readonly SettingGroup[] = [
  {
    page: 'branding',
    title: 'Look',
    description: 'On every page, in the console, and in mails.',
    settings: [
      { name: 'serviceName', label: 'Service name', most: 60, text: '' },
      {
        name: 'accentColor',
        label: 'Accent color',
        hint: 'Buttons, links and charts. Text on it turns black or white by itself.',
        most: 7,
        text: '#4f46e5',
        mono: true,
        color: true,
      },
      {
        name: 'logoUrl',
        label: 'Logo',
        hint: 'A square picture: an https address, or a path on this service. Without one, a key in the accent color.',
        ...address,
      },
      {
        name: 'logoDarkUrl',
        label: 'Logo on dark pages',
        hint: 'Without one, the logo above.',
        ...address,
      },
    ],
  },
  {
    page: 'branding',
    title: 'Sign-in provider',
    description: 'The OpenID Connect provider that OIDC_ISSUER names.',
    settings: [{ name: 'oidcName', label: 'Label of its button', most: 60, text: '' }],
  },
  {
    page: 'branding',
    title: 'Links',
    description: 'Below sign-in, consent and device pages.',
    settings: [
      { name: 'helpUrl', label: 'Help', ...address },
      { name: 'termsUrl', label: 'Terms', ...address },
      { name: 'privacyUrl', label: 'Privacy', ...address },
    ],
  },
  {
    page: 'branding',
    title: 'Mails',
    description: 'Sent as you write it, whatever language the rest of the mail is in.',
    settings: [
      {
        name: 'mailWelcome',
        label: 'Welcome',
        hint: 'A paragraph in the first mails somebody gets: confirming an email address, and an invitation.',
        most: 600,
        text: '',
        rows: 3,
      },
      {
        name: 'mailFooter',
        label: 'Below every mail',
        hint: 'Such as the company and its postal address.',
        most: 600,
        text: '',
        rows: 3,
      },
    ],
  },
]

/** How a setting is chosen: one of several values, a number with its unit, a list, which another setting may need, or a text. */
type Kind =
  | { options: Readonly<Record<string, string>> }
  | { unit: string; least: number; most: number }
  | { list: string; neededFor?: { name: InstanceKey; value: string } }
  | { text: string; most: number; rows?: number; mono?: boolean; color?: boolean }

/** A setting that an instance admin can change: its key, and its words on the page. */
export type ChangeableSetting = { name: InstanceKey; label: string; hint?: string } & Kind

/** The page of the instance admin that has a setting. */
export type SettingsPage = 'settings' | 'branding'

export type SettingGroup = {
  page: SettingsPage
  title: string
  description: string
  settings: readonly ChangeableSetting[]
}

const days = (most: number) => ({ unit: 'days', least: 1, most })

/**
 * The settings at /admin/settings, as the page shows them; branding has its own page. Secrets, and what a process needs
 * before it can read the database, are variables of the environment.
 * See ADR 0041.
 */
const otherGroups: readonly Omit<SettingGroup, 'page'>[] = [
  {
    title: 'Sign-up',
    description: 'Who can create an account. People who have one sign in as before.',
    settings: [
      {
        name: 'signUp',
        label: 'New accounts',
        hint: 'Applies to sign-in with other services too.',
        options: {
          open: 'For anybody',
          domains: 'For people of the email domains below, and people who were invited',
          invitation: 'For people invited to a workspace or project',
          closed: 'For nobody',
        },
      },
      {
        name: 'signUpDomains',
        label: 'Email domains',
        hint: 'One per line, such as example.com, or *.example.com for every domain below it.',
        list: 'example.com',
        neededFor: { name: 'signUp', value: 'domains' },
      },
      {
        name: 'signUpConfirm',
        label: 'Email is confirmed',
        hint: '“First” mails a link that creates the account. For email domains it’s always first.',
        options: { later: 'After the account is made', first: 'First' },
      },
    ],
  },
  {
    title: 'Two-factor authentication',
    description: 'A passkey, or an authenticator app in addition to the password.',
    settings: [
      {
        name: 'requireTwoFactor',
        label: 'Required for',
        hint: 'Users without it set it up before they continue. If all users need it, API tokens and authorizations of apps created without it are rejected.',
        options: {
          none: 'No one; workspaces can require it',
          'instance-admins': 'Instance admins, before they open these pages',
          all: 'All users, before anything else',
        },
      },
    ],
  },
  {
    title: 'Sessions and tokens',
    description: 'How long people stay signed in, and how long apps stay connected.',
    settings: [
      {
        name: 'sessionDays',
        label: 'Sessions end after',
        hint: 'Unused sessions end after half of that time.',
        ...days(365),
      },
      {
        name: 'refreshTokenDays',
        label: 'An app’s access ends after',
        hint: 'Counted from when the user authorized it. Apps then ask again. Unused access ends after half of that time.',
        ...days(3650),
      },
    ],
  },
  {
    title: 'Apps that introduce themselves',
    description: 'Agents and clients that no workspace registered. They keep the access they already have.',
    settings: [
      {
        name: 'dynamicRegistration',
        label: 'Apps that register themselves',
        hint: 'Dynamic client registration, RFC 7591. Most agents connect this way.',
        options: {
          on: 'Any app',
          approval: 'Any app; an instance admin approves each',
          off: 'None',
        },
      },
      {
        name: 'metadataDocuments',
        label: 'Apps described by a document of theirs',
        hint: 'Their client ID is the document’s address. If you don’t accept its host, a connected app can’t renew its access.',
        options: { on: 'Of any host', hosts: 'Of the hosts below', off: 'None' },
      },
      {
        name: 'metadataDocumentHosts',
        label: 'Hosts of such documents',
        hint: 'One per line, such as app.example.com, or *.example.com for every host below it.',
        list: 'claude.ai',
        neededFor: { name: 'metadataDocuments', value: 'hosts' },
      },
      {
        name: 'registeredAppScopes',
        label: 'Scopes they may get',
        hint: 'One per line, such as project:viewer. Leave it empty for all. Anything else they ask for is dropped, also from access they already have.',
        list: 'openid\nemail\nprofile',
      },
    ],
  },
  {
    title: 'Workspaces',
    description: 'Defaults until a workspace’s admins choose something else.',
    settings: [
      {
        name: 'workspaceApps',
        label: 'Apps that can access a new workspace',
        options: {
          open: 'All apps',
          approved: 'Apps its admins approved',
          own: 'Its own apps only',
        },
      },
      {
        name: 'restoreDays',
        label: 'Deleted projects can be restored for',
        hint: '0 deletes them at once.',
        unit: 'days',
        least: 0,
        most: 90,
      },
    ],
  },
]

/** All groups, those of each page in its order. */
export const settingGroups: readonly SettingGroup[] = [
  ...otherGroups.map((group) => ({ ...group, page: 'settings' as const })),
  ...brandingGroups,
]

/** All of them. */
export const changeableSettings: readonly ChangeableSetting[] = settingGroups.flatMap(
  ({ settings }) => settings,
)
