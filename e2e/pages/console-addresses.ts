import type { Address, Audience } from './listing'
import type { World } from './world'

/** Returns a page of the world's workspace. @param alsoAs a second role for which to take screenshots */
const workspace = (name: string, rest: string, seenBy: Audience, alsoAs?: 'viewer'): Address => ({
  route: `/workspaces/[slug]${rest.replace(/\?.*/, '')}`,
  name: `workspace/${name}`,
  at: (world) => `${world.workspace}${rest}`,
  seenBy,
  ...(alsoAs ? { alsoAs } : {}),
})

/** Returns a page of the world's project. */
const project = (name: string, rest: string, seenBy: Audience, alsoAs?: 'viewer'): Address => ({
  route: `/workspaces/[slug]/projects/[id]${rest}`,
  name: `project/${name}`,
  at: (world) => `${world.project}${rest}`,
  seenBy,
  ...(alsoAs ? { alsoAs } : {}),
})

const account = (rest: string, alsoAs?: 'viewer'): Address => ({
  route: `/account/${rest}`,
  name: `account/${rest.replaceAll('/', '-')}`,
  at: () => `/account/${rest}`,
  seenBy: 'user',
  ...(alsoAs ? { alsoAs } : {}),
})

const instanceAdmin = (name: string, rest: string): Address => ({
  route: `/admin${rest}`,
  name: `admin/${name}`,
  at: () => `/admin${rest}`,
  seenBy: 'instanceAdmin',
})

/** Returns a page whose URL contains an ID. */
const one = (route: string, name: string, seenBy: Audience, at: (world: World) => string): Address => ({
  route,
  name,
  seenBy,
  at,
})

/** The pages that require sign-in. */
export const consoleAddresses: Address[] = [
  { route: '/workspaces', name: 'workspace/all', at: () => '/workspaces', seenBy: 'user' },
  {
    route: '/install',
    name: 'workspace/choose-to-install',
    at: ({ clientId }) => `/install?client_id=${clientId}`,
    seenBy: 'user',
  },
  { route: '/workspaces/new', name: 'workspace/new', at: () => '/workspaces/new', seenBy: 'user' },
  workspace('home', '', 'viewer', 'viewer'),
  workspace('projects', '/projects', 'viewer', 'viewer'),
  workspace('projects-not-found', '/projects?search=nothing-like-it', 'viewer'),
  workspace('new-project', '/projects/new', 'member'),
  workspace('members', '/members', 'viewer', 'viewer'),
  workspace('members-not-found', '/members?search=nothing-like-it', 'viewer'),
  workspace('members-invitations', '/members/invitations', 'admin'),
  workspace('members-external', '/members/external', 'admin'),
  workspace('members-invite', '/members/invite', 'admin'),
  one(
    '/workspaces/[slug]/members/change',
    'workspace/members-change',
    'admin',
    (world) => `${world.workspace}/members/change?user=${world.adminId}`,
  ),
  workspace('settings', '/settings', 'viewer', 'viewer'),
  workspace('settings-tokens', '/settings/tokens', 'admin'),
  workspace('settings-tokens-new', '/settings/tokens/new', 'admin'),
  one(
    '/workspaces/[slug]/settings/tokens/[tokenId]',
    'workspace/settings-token',
    'admin',
    (world) => `${world.workspace}/settings/tokens/${world.workspaceTokenId}`,
  ),
  workspace('settings-apps', '/settings/apps', 'admin'),
  workspace('settings-sso', '/settings/sso', 'admin'),
  workspace('settings-developer', '/settings/developer', 'admin'),
  workspace('settings-developer-new', '/settings/developer/new', 'admin'),
  workspace('settings-webhooks', '/settings/webhooks', 'admin'),
  workspace('settings-webhooks-new', '/settings/webhooks/new', 'admin'),
  workspace('settings-usage', '/settings/usage', 'admin'),
  workspace('settings-audit-log', '/settings/audit-log', 'admin'),
  workspace('settings-audit-stream', '/settings/audit-log/stream', 'admin'),
  one(
    '/workspaces/[slug]/settings/apps/install',
    'workspace/settings-apps-install',
    'admin',
    (world) => `${world.workspace}/settings/apps/install?client_id=${world.clientId}`,
  ),
  one(
    '/workspaces/[slug]/settings/apps/[clientId]',
    'workspace/settings-app',
    'admin',
    (world) => `${world.workspace}/settings/apps/${world.clientId}`,
  ),
  one(
    '/workspaces/[slug]/settings/developer/[clientId]',
    'workspace/settings-developer-app',
    'admin',
    (world) => `${world.workspace}/settings/developer/${world.clientId}`,
  ),
  ...['overview', 'credentials', 'activity', 'people', 'danger'].map((tab) =>
    one(
      `/workspaces/[slug]/settings/developer/[clientId]/${tab}`,
      `workspace/settings-developer-app-${tab}`,
      'admin',
      (world) => `${world.workspace}/settings/developer/${world.clientId}/${tab}`,
    ),
  ),
  one(
    '/workspaces/[slug]/settings/webhooks/[id]',
    'workspace/settings-webhook',
    'admin',
    (world) => `${world.workspace}/settings/webhooks/${world.webhookId}`,
  ),
  one(
    '/workspaces/[slug]/settings/webhooks/[id]/settings',
    'workspace/settings-webhook-settings',
    'admin',
    (world) => `${world.workspace}/settings/webhooks/${world.webhookId}/settings`,
  ),

  project('overview', '', 'viewer', 'viewer'),
  project('members', '/members', 'viewer', 'viewer'),
  project('settings', '/settings', 'viewer', 'viewer'),
  project('tokens', '/tokens', 'admin'),
  project('tokens-new', '/tokens/new', 'admin'),
  one(
    '/workspaces/[slug]/projects/[id]/tokens/[tokenId]',
    'project/token',
    'admin',
    (world) => `${world.project}/tokens/${world.projectTokenId}`,
  ),
  {
    route: '/workspaces/[slug]/projects/[id]/environments/[environmentId]',
    name: 'project/environment',
    at: (world) => world.environment,
    seenBy: 'viewer',
    alsoAs: 'viewer',
  },

  account('profile'),
  account('security'),
  account('sessions'),
  account('data'),
  account('tokens', 'viewer'),
  account('tokens/new'),
  one(
    '/account/tokens/[tokenId]',
    'account/token',
    'admin',
    ({ workspaceTokenId }) => `/account/tokens/${workspaceTokenId}`,
  ),
  account('ssh-keys', 'viewer'),
  account('apps', 'viewer'),
  account('agents'),
  account('notifications', 'viewer'),
  account('notifications/rules'),
  one(
    '/account/apps/[id]',
    'account/app',
    'admin',
    ({ authorizationId }) => `/account/apps/${authorizationId}`,
  ),

  instanceAdmin('health', ''),
  instanceAdmin('activity', '/activity'),
  instanceAdmin('people', '/people'),
  instanceAdmin('workspaces', '/workspaces'),
  instanceAdmin('apps', '/apps'),
  instanceAdmin('apis', '/apis'),
  instanceAdmin('apis-new', '/apis/new'),
  instanceAdmin('keys', '/keys'),
  instanceAdmin('jobs', '/jobs'),
  instanceAdmin('settings', '/settings'),
  instanceAdmin('settings-apps', '/settings/apps'),
  instanceAdmin('settings-environment', '/settings/environment'),
  instanceAdmin('branding', '/branding'),
  instanceAdmin('audit', '/audit'),
  instanceAdmin('audit-stream', '/audit/stream'),
  one('/admin/people/[id]', 'admin/user', 'instanceAdmin', ({ adminId }) => `/admin/people/${adminId}`),
  one(
    '/admin/workspaces/[id]',
    'admin/workspace',
    'instanceAdmin',
    ({ workspaceId }) => `/admin/workspaces/${workspaceId}`,
  ),
  one('/admin/apis/[id]', 'admin/api', 'instanceAdmin', ({ apiId }) => `/admin/apis/${apiId}`),
  one('/admin/apps/[id]', 'admin/app', 'instanceAdmin', ({ clientId }) => `/admin/apps/${clientId}`),
]
