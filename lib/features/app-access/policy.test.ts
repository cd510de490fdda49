import { describe, expect, it } from 'vitest'
import { type AppRules, admissionOf, admittedToProject, admittedToWorkspace } from '@/lib/policy/app-policy'
import { higher, lowerRole, type Role, roleFromScopes, roleIncludes } from '@/lib/policy/scopes'
import { appPolicies } from './input'
import type { InstalledApp } from './list-installed'
import { lossOf } from './policy'

/**
 * The scopes of each kind of access. The tests cover every combination of old policy, new policy, decision,
 * owner, and kinds of access.
 */
const scopes = { users: ['workspace:member'], managed: ['workspace:viewer'], installed: ['project:admin'] }
type Way = keyof typeof scopes
const ways: Way[] = ['users', 'managed', 'installed']
const together = Array.from({ length: 2 ** ways.length }, (_, mask) =>
  ways.filter((_way, place) => mask & (1 << place)),
)

type Decision = InstalledApp['decision']
const approved = (given: Partial<NonNullable<Decision>>): Decision => ({
  decision: 'APPROVED',
  scopes: ['workspace:admin'],
  projectIds: null,
  ended: false,
  expiresAt: null,
  decidedAt: new Date(0),
  decidedBy: null,
  word: null,
  ...given,
})
const decisions: [string, Decision][] = [
  ['neither approved nor blocked', null],
  ['approved', approved({})],
  ['approved only to read', approved({ scopes: ['workspace:viewer'] })],
  ['approved for only one project', approved({ projectIds: ['p'] })],
  ['approved until a past date', approved({ ended: true })],
  ['blocked', approved({ decision: 'BLOCKED' })],
]

const appWith = (present: Way[], more: Pick<InstalledApp, 'appPolicy' | 'decision' | 'runBy'>) => ({
  transferring: false,
  id: 'app',
  place: 'planner app',
  name: 'Planner',
  logoUrl: null,
  logoDarkUrl: null,
  source: 'SETTINGS' as const,
  verified: false,
  domain: null,
  disabled: false,
  installScopes: [],
  whole: true,
  projects: 0,
  lastUsedAt: null,
  requests: 0,
  ...(present.includes('users')
    ? { users: 2, names: ['Ada', 'Grace'], scopes: scopes.users }
    : { users: 0, names: [], scopes: [] }),
  managed: present.includes('managed')
    ? { id: 'm', scopes: scopes.managed, since: '', lastUsedAt: null }
    : null,
  installation: present.includes('installed')
    ? {
        id: 'i',
        scopes: scopes.installed,
        projectIds: null,
        workspaceId: 'w',
        workspaceName: 'Acme',
        since: '',
        lastUsedAt: null,
        suspendedAt: null,
      }
    : null,
  ...more,
})

/**
 * Returns the roles that one kind of access gives under the given rules in the workspace, in a project, and
 * in another project.
 */
function rolesBy(way: Way, runBy: InstalledApp['runBy'], rules: AppRules): (Role | undefined)[] {
  const judged = { clientId: 'app', workspaceId: runBy?.id, installed: way === 'installed' }
  const admission = admissionOf(judged, 'here', rules)
  const held = new Set(scopes[way])
  const workspace = roleFromScopes(held, 'workspace')
  const project = higher(workspace, roleFromScopes(held, 'project'))
  return [
    lowerRole(workspace, admittedToWorkspace(admission)),
    ...['p', 'other'].map((id) => lowerRole(project, admittedToProject(admission, id))),
  ]
}

describe.each([
  ['the workspace’s own app', { id: 'here', name: 'Here' }],
  ['another workspace’s app', { id: 'there', name: 'There' }],
  ['a self-registered app', null],
] as const)('the policy preview for %s', (_kind, runBy) => {
  describe.each(decisions)('if the app is %s', (_decided, decision) => {
    const cases = appPolicies.flatMap((before) =>
      appPolicies.flatMap((after) =>
        together.map((present) => [before, after, present.join(', ') || 'none', present] as const),
      ),
    )
    it.each(cases)(
      'lists exactly the access that is lost when the policy changes from %s to %s (previous access: %s)',
      (from, to, _names, present) => {
        const roles = (way: Way, appPolicy: AppRules['appPolicy']) =>
          rolesBy(way, runBy, { appPolicy, appDecision: decision })
        const losing = present.filter((way) => {
          const after = roles(way, to)
          return roles(way, from).some((role, place) => role && !roleIncludes(after[place], role))
        })
        const left = present.some((way) => roles(way, to).some(Boolean))
        const loss = lossOf(appWith(present, { appPolicy: from, decision, runBy }), 'here', to)
        if (losing.length === 0) return expect(loss).toBeUndefined()
        const users = losing.includes('users')
        expect(loss).toEqual({
          id: 'app',
          place: 'planner app',
          name: 'Planner',
          users: users ? 2 : 0,
          names: users ? ['Ada', 'Grace'] : [],
          managed: losing.includes('managed'),
          installed: losing.includes('installed'),
          loses: left ? 'a part' : 'everything',
        })
      },
    )
  })
})

const undecided = (present: Way[], appPolicy: InstalledApp['appPolicy']) =>
  appWith(present, { appPolicy, decision: null, runBy: null })

it('a policy preview lists an app installation that loses access, even if the app’s users had none before', () => {
  const loss = lossOf(undecided(['users', 'installed'], 'APPROVED'), 'here', 'OWN')
  expect(loss).toMatchObject({ loses: 'everything', users: 0, names: [], installed: true, managed: false })
})

it('a policy preview reports the loss of SSO-managed access only if the current policy allows that access', () => {
  const both: Way[] = ['managed', 'installed']
  expect(lossOf(undecided(both, 'APPROVED'), 'here', 'OWN')).toMatchObject({
    managed: false,
    installed: true,
  })
  expect(lossOf(undecided(both, 'OPEN'), 'here', 'APPROVED')).toMatchObject({
    loses: 'a part',
    managed: true,
    installed: false,
  })
})
