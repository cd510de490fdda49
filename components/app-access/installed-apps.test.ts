import { expect, it } from 'vitest'
import type { InstalledApp } from '@/lib/features/app-access/list-installed'
import type { Admission } from '@/lib/policy/app-policy'
import type { Role } from '@/lib/policy/scopes'
import { accessOf, listedInstalled } from './installed-apps'

const app: InstalledApp = {
  id: 'lk_app_1',
  place: 'planner',
  name: 'Planner',
  logoUrl: null,
  logoDarkUrl: null,
  source: 'SETTINGS',
  runBy: null,
  transferring: false,
  verified: false,
  domain: null,
  disabled: false,
  profile: { description: null, website: null, support: null, privacyUrl: null, termsUrl: null },
  users: 2,
  names: [],
  scopes: ['workspace:member'],
  installScopes: [],
  whole: true,
  projects: 0,
  lastUsedAt: null,
  requests: 0,
  installation: null,
  managed: null,
  decision: null,
  appPolicy: 'OPEN',
  admission: { kind: 'whole' },
}
const within = (workspaceRole: Role | undefined, projectRole: Role, projectIds?: string[]): Admission => ({
  kind: 'within',
  workspaceRole,
  projectRole,
  projectIds: projectIds ?? null,
})
const installation = {
  id: 'i',
  scopes: ['workspace:member'],
  projectIds: null,
  workspaceId: 'w',
  workspaceName: 'Acme',
  since: '',
  lastUsedAt: null,
  suspendedAt: null,
}

it.each<[string, Partial<InstalledApp>, may: string, on: string]>([
  ['the access that users granted', {}, 'Read and write', 'The workspace'],
  ['no more than an admin approved', { admission: within('VIEWER', 'VIEWER') }, 'Read', 'The workspace'],
  ['no more than users granted', { admission: within('ADMIN', 'ADMIN') }, 'Read and write', 'The workspace'],
  ['the approved projects', { admission: within(undefined, 'VIEWER', ['a', 'b']) }, 'Read', '2 projects'],
  [
    'the highest role of all scopes',
    { scopes: ['workspace:viewer', 'project:admin'] },
    'Administer',
    'The workspace',
  ],
  ['one project', { scopes: ['project:viewer'], whole: false, projects: 1 }, 'Read', '1 project'],
  [
    'the scopes of the installation, not those that users authorized',
    { installation, scopes: ['workspace:viewer'], admission: within('VIEWER', 'VIEWER') },
    'Read and write',
    'The workspace',
  ],
  ['no access', { scopes: [], whole: false }, 'None', ''],
])('the list describes the access of an installed app: %s', (_, changes, may, on) => {
  expect(listedInstalled({ ...app, ...changes })).toMatchObject({ may, on })
})

const managed = { id: 'm', scopes: ['workspace:viewer'], since: '', lastUsedAt: null }
const suspended = { ...installation, suspendedAt: '2026-01-01T00:00:00Z' }

it.each<[string, Partial<InstalledApp>, state: string]>([
  ['authorized by users', {}, 'Allowed'],
  ['SSO-managed', { users: 0, managed }, 'Allowed'],
  ['only installed', { users: 0, installation }, 'Installed'],
  ['installed and authorized by users', { installation }, 'Allowed'],
  ['installed and SSO-managed', { users: 0, managed, installation }, 'Allowed'],
  ['only installed and suspended', { users: 0, installation: suspended }, 'Suspended'],
  ['suspended and authorized by users', { installation: suspended }, 'Allowed'],
  ['suspended and SSO-managed', { users: 0, managed, installation: suspended }, 'Allowed'],
  [
    'suspended, SSO-managed, and approved',
    { users: 0, managed, installation: suspended, admission: within('VIEWER', 'VIEWER') },
    'Approved',
  ],
  [
    'SSO-managed but not allowed by the policy',
    { users: 0, managed, installation, admission: { kind: 'closed', reason: 'not-approved' } },
    'Not approved',
  ],
])('the list shows the state of an app that is %s', (_, changes, state) => {
  expect(listedInstalled({ ...app, ...changes }).state.text).toBe(state)
})

it.each<[scopes: string, whole: boolean, projects: number, access: string]>([
  ['workspace:viewer', true, 0, 'Read'],
  ['project:member', false, 2, 'Read and write'],
  ['workspace:viewer project:member', true, 1, 'Workspace: read · Projects: read and write'],
  ['workspace:member project:admin', true, 1, 'Workspace: read and write · Projects: administer'],
  ['workspace:member project:member', true, 1, 'Read and write'],
  // The role in the workspace also applies to the projects.
  ['workspace:admin project:viewer', true, 1, 'Administer'],
  // Scopes have no effect on resources that the user did not select.
  ['workspace:admin project:viewer', false, 1, 'Read'],
  ['workspace:viewer project:admin', true, 0, 'Read'],
  ['openid email', true, 1, 'None'],
])(
  'describes the access of a user’s scopes: %s (workspace: %s, projects: %i)',
  (scopes, whole, projects, access) => {
    expect(accessOf(scopes.split(' '), { whole, projects: Array(projects).fill({}) })).toBe(access)
  },
)
