import type { InstanceKey } from '@/lib/base/config/instance-settings'

const address = { most: 500, text: 'https://example.com/…', mono: true }

/** The groups on the branding page. See ADR 0031. */
const brandingGroups: readonly SettingGroup[] = [
  {
    page: 'branding',
    title: 'Look',
    description: 'Shown on every page and in emails.',
    settings: [
      { name: 'serviceName', label: 'Service name', most: 60, text: '' },
      {
        name: 'accentColor',
        label: 'Accent color',
        hint: 'Buttons, links, and charts. Text on this color is black or white automatically.',
        most: 7,
        text: '#4f46e5',
        mono: true,
        color: true,
      },
      {
        name: 'logoUrl',
        label: 'Logo',
        hint: 'A square image: an https URL, or a path on this instance. Default: a key in the accent color.',
        ...address,
      },
      {
        name: 'logoDarkUrl',
        label: 'Logo on dark pages',
        hint: 'Default: the logo above.',
        ...address,
      },
    ],
  },
  {
    page: 'branding',
    title: 'Sign-in provider',
    description: 'The OpenID Connect provider in OIDC_ISSUER.',
    settings: [{ name: 'oidcName', label: 'Button label', most: 60, text: '' }],
  },
  {
    page: 'branding',
    title: 'Links',
    description: 'Shown at the bottom of the sign-in, consent, and device pages.',
    settings: [
      { name: 'helpUrl', label: 'Help', ...address },
      { name: 'termsUrl', label: 'Terms', ...address },
      { name: 'privacyUrl', label: 'Privacy', ...address },
    ],
  },
  {
    page: 'branding',
    title: 'Emails',
    description: 'These texts are sent exactly as entered, without translation.',
    settings: [
      {
        name: 'mailWelcome',
        label: 'Welcome',
        hint: 'A paragraph in the first emails that users receive: the email confirmation and the invitation.',
        most: 600,
        text: '',
        rows: 3,
      },
      {
        name: 'mailFooter',
        label: 'Email footer',
        hint: 'For example, your company and its postal address.',
        most: 600,
        text: '',
        rows: 3,
      },
    ],
  },
]

/**
 * The type of input for a setting: a choice, a number with a unit, a list, or a text. A list with `neededFor`
 * must not be empty if the setting that `neededFor` names has the given value.
 */
type Kind =
  | { options: Readonly<Record<string, string>> }
  | { unit: string; least: number; most: number }
  | { list: string; neededFor?: { name: InstanceKey; value: string } }
  | { text: string; most: number; rows?: number; mono?: boolean; color?: boolean }

/** A setting that an instance admin can change, with its key, label, and hint. */
export type ChangeableSetting = { name: InstanceKey; label: string; hint?: string } & Kind

/** The instance admin page that shows a setting. */
export type SettingsPage = 'sign-in' | 'apps' | 'branding'

export type SettingGroup = {
  page: SettingsPage
  title: string
  description: string
  settings: readonly ChangeableSetting[]
}

const days = (most: number) => ({ unit: 'days', least: 1, most })

/**
 * The groups on /admin/settings and /admin/settings/apps. Branding has its own page. Secrets, and settings
 * that a process requires before it can read the database, are environment variables instead. See ADR 0031.
 */
const otherGroups: readonly SettingGroup[] = [
  {
    page: 'sign-in',
    title: 'Sign-up',
    description: 'These settings control who can create an account. Existing users can still sign in.',
    settings: [
      {
        name: 'signUp',
        label: 'Who can sign up',
        hint: 'Also applies to accounts created through sign-in with other services.',
        options: {
          open: 'Anyone',
          domains: 'Only the email domains below, and invited users',
          invitation: 'Only users invited to a workspace or project',
          closed: 'No one',
        },
      },
      {
        name: 'signUpDomains',
        label: 'Email domains',
        hint: 'One per line, such as example.com, or *.example.com for all its subdomains.',
        list: 'example.com',
        neededFor: { name: 'signUp', value: 'domains' },
      },
      {
        name: 'signUpConfirm',
        label: 'Email confirmation',
        hint: 'With “Before first sign-in”, users open an emailed link to create their account. This always applies if sign-up is limited to email domains.',
        options: { later: 'After sign-up', first: 'Before first sign-in' },
      },
    ],
  },
  {
    page: 'sign-in',
    title: 'Two-factor authentication',
    description: 'A passkey, or an authenticator app in addition to the password.',
    settings: [
      {
        name: 'requireTwoFactor',
        label: 'Required for',
        hint: 'Users without two-factor authentication must set it up before they continue. If it is required for all users, API tokens and app authorizations that were created without it are rejected.',
        options: {
          none: 'No one (workspaces decide)',
          'instance-admins': 'Instance admins, before they open these pages',
          all: 'All users, before anything else',
        },
      },
    ],
  },
  {
    page: 'sign-in',
    title: 'Sessions and tokens',
    description: 'How long users stay signed in and apps stay connected.',
    settings: [
      {
        name: 'sessionDays',
        label: 'Sessions end after',
        hint: 'Sessions that aren’t used end after half this time.',
        ...days(365),
      },
      {
        name: 'refreshTokenDays',
        label: 'An app’s access ends after',
        hint: 'The time starts when the user authorizes the app. When it ends, the app must request access again. Access that isn’t used ends after half this time.',
        ...days(3650),
      },
    ],
  },
  {
    page: 'apps',
    title: 'Self-registered apps',
    description:
      'Settings for agents and other apps that no workspace registered. Apps that are already authorized keep their access.',
    settings: [
      {
        name: 'dynamicRegistration',
        label: 'Dynamic client registration',
        hint: 'RFC 7591. Most agents connect this way.',
        options: {
          on: 'Any app',
          approval: 'Any app, after an instance admin approves it',
          off: 'None',
        },
      },
      {
        name: 'metadataDocuments',
        label: 'Client ID metadata documents',
        hint: 'These apps use the URL of a metadata document as their client ID. Apps whose document is on a host that isn’t allowed can’t renew their access.',
        options: { on: 'Any host', hosts: 'Only the hosts below', off: 'None' },
      },
      {
        name: 'metadataDocumentHosts',
        label: 'Allowed hosts',
        hint: 'One per line, such as app.example.com, or *.example.com for all its subdomains.',
        list: 'claude.ai',
        neededFor: { name: 'metadataDocuments', value: 'hosts' },
      },
      {
        name: 'registeredAppScopes',
        label: 'Allowed scopes',
        hint: 'Enter one per line, such as project:viewer. You can include scopes of registered APIs. Leave empty to allow all scopes. Scopes that aren’t listed are ignored, even if users have already granted them.',
        list: 'openid\nemail\nprofile',
      },
    ],
  },
  {
    page: 'apps',
    title: 'Workspaces',
    description:
      'The app policy is a default for new workspaces, and their admins can change it. The restore period applies to all workspaces.',
    settings: [
      {
        name: 'workspaceApps',
        label: 'Apps that can access a new workspace',
        options: {
          open: 'Any app',
          approved: 'Approved apps only',
          own: 'Only the workspace’s own apps',
        },
      },
      {
        name: 'restoreDays',
        label: 'Deleted projects can be restored for',
        hint: 'With 0, projects are deleted immediately and can’t be restored.',
        unit: 'days',
        least: 0,
        most: 90,
      },
    ],
  },
]

/** All groups, in the order in which the pages show them. */
export const settingGroups: readonly SettingGroup[] = [...otherGroups, ...brandingGroups]

/** The settings of all groups. */
export const changeableSettings: readonly ChangeableSetting[] = settingGroups.flatMap(
  ({ settings }) => settings,
)
