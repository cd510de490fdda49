import { expect, it } from 'vitest'
import type { InstalledApp } from '@/lib/features/app-access/list-installed'
import type { Admission } from '@/lib/policy/app-policy'
import type { Role } from '@/lib/policy/scopes'
import { listedInstalled } from './installed-table'

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
  ['what people allow it', {}, 'Read and write', 'The workspace'],
  ['no more than approved', { admission: within('VIEWER', 'VIEWER') }, 'Read', 'The workspace'],
  [
    'no more than people allow it',
    { admission: within('ADMIN', 'ADMIN') },
    'Read and write',
    'The workspace',
  ],
  [
    'the projects it is approved for',
    { admission: within(undefined, 'VIEWER', ['a', 'b']) },
    'Read',
    '2 projects',
  ],
  ['the most of any', { scopes: ['workspace:viewer', 'project:admin'] }, 'Administer', 'The workspace'],
  ['one project', { scopes: ['project:viewer'], whole: false, projects: 1 }, 'Read', '1 project'],
  [
    'shows the scopes of the installation, not those that users can authorize',
    { installation, scopes: ['workspace:viewer'], admission: within('VIEWER', 'VIEWER') },
    'Read and write',
    'The workspace',
  ],
  ['nothing', { scopes: [], whole: false }, 'Nothing here', ''],
])('describes what an installed app can do: %s', (_, changes, may, on) => {
  expect(listedInstalled({ ...app, ...changes })).toMatchObject({ may, on })
})

const managed = { id: 'm', scopes: ['workspace:viewer'], since: '', lastUsedAt: null }
const suspended = { ...installation, suspendedAt: '2026-01-01T00:00:00Z' }

it.each<[string, Partial<InstalledApp>, state: string]>([
  ['let in by people', {}, 'Allowed'],
  ['sent by the provider', { users: 0, managed }, 'Allowed'],
  ['installed alone', { users: 0, installation }, 'Installed'],
  ['installed, and let in by people', { installation }, 'Allowed'],
  ['installed, and sent by the provider', { users: 0, managed, installation }, 'Allowed'],
  ['installed alone, and suspended', { users: 0, installation: suspended }, 'Suspended'],
  ['suspended, and let in by people', { installation: suspended }, 'Allowed'],
  ['suspended, and sent by the provider', { users: 0, managed, installation: suspended }, 'Allowed'],
  [
    'suspended, sent by the provider and approved',
    { users: 0, managed, installation: suspended, admission: within('VIEWER', 'VIEWER') },
    'Approved',
  ],
  [
    'sent by the provider, which the policy keeps out',
    { users: 0, managed, installation, admission: { kind: 'closed', reason: 'not-approved' } },
    'Not approved',
  ],
])('shows the state of an app %s', (_, changes, state) => {
  expect(listedInstalled({ ...app, ...changes }).state.text).toBe(state)
})
