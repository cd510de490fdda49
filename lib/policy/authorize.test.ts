import { describe, expect, it } from 'vitest'
import { isAppError } from '@/lib/base/errors/app-error'
import { fc } from '@/lib/testing/seeded-cases'
import type { Actor, OAuthActor } from './actor'
import {
  authorizeAccount,
  authorizePersonal,
  authorizeProject,
  authorizeWorkspace,
  environmentRefusal,
  onlyEnvironment,
} from './authorize'
import { type ProjectPermission, permissions } from './permissions'
import type { Role } from './scopes'

const userId = 'ada'
const open = { appPolicy: 'OPEN', appDecision: null } as const
const oauth = (scopes: string[], shared: Partial<OAuthActor> = {}): Actor => ({
  kind: 'oauth',
  userId,
  clientId: 'app',
  authorizationId: 'authorization',
  scopes: new Set(scopes),
  workspaceIds: [],
  projectIds: [],
  ...shared,
})
const account: Actor = { kind: 'account-token', userId, tokenId: 't', role: 'ADMIN' }

/** Returns `ok`, or the error's code and the required scope. */
const decision = (decide: () => void): string => {
  try {
    decide()
    return 'ok'
  } catch (error) {
    if (!isAppError(error)) throw error
    return [error.code, error.details.requiredScope].filter(Boolean).join(' ')
  }
}

const onWorkspace = (actor: Actor, permission: Parameters<typeof authorizeWorkspace>[1], role?: Role) =>
  decision(() =>
    authorizeWorkspace(actor, permission, 'w', role && { id: 'w', workspaceRole: role, ...open }),
  )

const onProject = (
  actor: Actor,
  permission: Parameters<typeof authorizeProject>[1],
  roles: { workspaceRole?: Role; projectRole?: Role },
) =>
  decision(() =>
    authorizeProject(actor, permission, 'p', {
      id: 'p',
      workspaceId: 'w',
      workspaceRole: roles.workspaceRole,
      projectRole: roles.projectRole,
      ...open,
    }),
  )

describe('authorizeWorkspace', () => {
  it.each([
    ['VIEWER', 'workspace:read', 'ok'],
    ['VIEWER', 'workspace:create-project', 'FORBIDDEN'],
    ['MEMBER', 'workspace:create-project', 'ok'],
    ['MEMBER', 'workspace:manage-apps', 'FORBIDDEN'],
    ['ADMIN', 'workspace:manage-apps', 'ok'],
  ] as const)(
    'allows only permissions that the role includes (role %s, permission %s, result %s)',
    (role, permission, expected) => {
      expect(onWorkspace(account, permission, role)).toBe(expected)
    },
  )

  it('throws NOT_FOUND for a user without a role', () => {
    expect(onWorkspace(account, 'workspace:read')).toBe('NOT_FOUND')
  })

  it('names the missing scope even if the workspace does not exist', () => {
    expect(onWorkspace(oauth(['openid']), 'workspace:read')).toBe('INSUFFICIENT_SCOPE workspace:viewer')
    const viewer = oauth(['workspace:viewer'], { workspaceIds: ['w'] })
    expect(onWorkspace(viewer, 'workspace:create-project', 'ADMIN')).toBe(
      'INSUFFICIENT_SCOPE workspace:member',
    )
    expect(onWorkspace(viewer, 'workspace:create-project')).toBe('INSUFFICIENT_SCOPE workspace:member')
  })

  it('denies access to a workspace that was not selected', () => {
    expect(onWorkspace(oauth(['workspace:admin']), 'workspace:read', 'ADMIN')).toBe('RESOURCE_NOT_SHARED')
  })

  it('never gives an app a higher role than the user’s current role', () => {
    const admin = oauth(['workspace:admin'], { workspaceIds: ['w'] })
    expect(onWorkspace(admin, 'workspace:update', 'VIEWER')).toBe('FORBIDDEN')
  })

  it('denies project scopes and project tokens access to workspaces', () => {
    expect(onWorkspace(oauth(['project:admin'], { projectIds: ['p'] }), 'workspace:read', 'ADMIN')).toBe(
      'INSUFFICIENT_SCOPE workspace:viewer',
    )
    const token: Actor = { kind: 'project-token', userId, tokenId: 't', projectId: 'p', role: 'ADMIN' }
    expect(onWorkspace(token, 'workspace:read', 'ADMIN')).toBe('RESOURCE_NOT_SHARED')
  })

  it('limits a workspace token to its role and its workspace', () => {
    const token = (workspaceId: string): Actor => ({
      kind: 'workspace-token',
      userId,
      tokenId: 't',
      workspaceId,
      role: 'VIEWER',
    })
    expect(onWorkspace(token('w'), 'workspace:read', 'ADMIN')).toBe('ok')
    expect(onWorkspace(token('w'), 'workspace:update', 'ADMIN')).toBe('FORBIDDEN')
    expect(onWorkspace(token('other'), 'workspace:read', 'ADMIN')).toBe('RESOURCE_NOT_SHARED')
  })
})

describe('a limited account token', () => {
  const limited = (role: Role): Actor => ({ kind: 'account-token', userId, tokenId: 't', role })

  it.each([
    ['MEMBER', 'ok', 'FORBIDDEN'],
    ['VIEWER', 'FORBIDDEN', 'FORBIDDEN'],
  ] as const)('has at most the %s role in an admin’s workspaces and projects', (role, writing, deleting) => {
    expect(onWorkspace(limited(role), 'workspace:read', 'ADMIN')).toBe('ok')
    expect(onWorkspace(limited(role), 'workspace:create-project', 'ADMIN')).toBe(writing)
    expect(onWorkspace(limited(role), 'workspace:manage-webhooks', 'ADMIN')).toBe('FORBIDDEN')
    expect(onProject(limited(role), 'project:read', { projectRole: 'ADMIN' })).toBe('ok')
    expect(onProject(limited(role), 'project:read-values', { projectRole: 'ADMIN' })).toBe(writing)
    expect(onProject(limited(role), 'project:delete', { workspaceRole: 'ADMIN' })).toBe(deleting)
  })

  it('never exceeds the user’s current role', () => {
    expect(onWorkspace(limited('MEMBER'), 'workspace:create-project', 'VIEWER')).toBe('FORBIDDEN')
  })

  it('can access personal data within its role but cannot manage the account', () => {
    expect(decision(() => authorizePersonal(limited('VIEWER'), 'email'))).toBe('ok')
    expect(decision(() => authorizePersonal(limited('VIEWER'), 'notifications', 'MEMBER'))).toBe('FORBIDDEN')
    expect(decision(() => authorizePersonal(limited('MEMBER'), 'notifications', 'MEMBER'))).toBe('ok')
    expect(decision(() => authorizePersonal(limited('MEMBER'), 'ssh_keys', 'ADMIN'))).toBe('FORBIDDEN')
    expect(decision(() => authorizeAccount(limited('MEMBER')))).toBe('FORBIDDEN')
    expect(decision(() => authorizeAccount(account))).toBe('ok')
  })
})

describe('authorizeProject', () => {
  it('uses the higher of the user’s roles in the project and in its workspace', () => {
    expect(onProject(account, 'project:update', { workspaceRole: 'MEMBER' })).toBe('ok')
    expect(onProject(account, 'project:delete', { workspaceRole: 'MEMBER', projectRole: 'ADMIN' })).toBe('ok')
    expect(onProject(account, 'project:update', { workspaceRole: 'VIEWER' })).toBe('FORBIDDEN')
  })

  it('accepts a project membership without a workspace role', () => {
    expect(onProject(account, 'project:update', { projectRole: 'MEMBER' })).toBe('ok')
  })

  it('allows access to a project if the project or its workspace is selected', () => {
    const roles = { workspaceRole: 'ADMIN' } as const
    expect(onProject(oauth(['workspace:member'], { workspaceIds: ['w'] }), 'project:update', roles)).toBe(
      'ok',
    )
    expect(onProject(oauth(['project:member'], { projectIds: ['p'] }), 'project:update', roles)).toBe('ok')
    expect(onProject(oauth(['project:member'], { projectIds: ['q'] }), 'project:update', roles)).toBe(
      'RESOURCE_NOT_SHARED',
    )
    expect(onProject(oauth(['project:member'], { workspaceIds: ['w'] }), 'project:update', roles)).toBe(
      'RESOURCE_NOT_SHARED',
    )
  })

  it('uses only the scope that covers the requested project', () => {
    const mixed = oauth(['workspace:admin', 'project:viewer'], { workspaceIds: ['other'], projectIds: ['p'] })
    expect(onProject(mixed, 'project:read', { workspaceRole: 'ADMIN' })).toBe('ok')
    expect(onProject(mixed, 'project:delete', { workspaceRole: 'ADMIN' })).toBe(
      'INSUFFICIENT_SCOPE project:admin',
    )
  })

  it('reports an unselected project, rather than a missing scope, if the token already has that scope', () => {
    const actor = oauth(['workspace:member', 'project:admin'], { workspaceIds: ['w'] })
    expect(onProject(actor, 'project:update', { workspaceRole: 'ADMIN' })).toBe('ok')
    expect(onProject(actor, 'project:delete', { workspaceRole: 'ADMIN' })).toBe('RESOURCE_NOT_SHARED')
  })
})

describe('authorizePersonal', () => {
  it('requires an app to have the scope and rejects workspace tokens', () => {
    expect(decision(() => authorizePersonal(oauth(['openid']), 'email'))).toBe('INSUFFICIENT_SCOPE email')
    expect(decision(() => authorizePersonal(oauth(['email']), 'email'))).toBe('ok')
    expect(decision(() => authorizePersonal(account, 'email'))).toBe('ok')
    const token: Actor = { kind: 'workspace-token', userId, tokenId: 't', workspaceId: 'w', role: 'ADMIN' }
    expect(decision(() => authorizePersonal(token, 'email'))).toBe('FORBIDDEN')
  })
})

const role = fc.constantFrom<Role>('VIEWER', 'MEMBER', 'ADMIN')
const onProjects = Object.keys(permissions).filter((each) =>
  each.startsWith('project:'),
) as ProjectPermission[]

const token = (cap: Role, environmentId: string | null): Actor => ({
  kind: 'project-token',
  userId: 'ada',
  tokenId: 't',
  projectId: 'p',
  environmentId,
  role: cap,
})

const decide = (actor: Actor, permission: ProjectPermission, workspaceRole: Role | undefined): string => {
  const project = { id: 'p', workspaceId: 'w', workspaceRole, projectRole: undefined }
  try {
    authorizeProject(actor, permission, 'p', { ...project, appPolicy: 'OPEN', appDecision: null })
    return 'ok'
  } catch (error) {
    if (!isAppError(error)) throw error
    return error.code
  }
}

it('a token for one environment can only read the project and access its variables', () => {
  const within = ['project:read', 'project:read-values', 'project:write-variables']
  fc.assert(
    fc.property(
      role,
      fc.option(role, { nil: undefined }),
      fc.constantFrom(...onProjects),
      (cap, mine, permission) => {
        const ofProject = decide(token(cap, null), permission, mine)
        const ofOne = decide(token(cap, 'e'), permission, mine)
        expect(ofOne).toBe(
          within.includes(permission) || ofProject === 'NOT_FOUND' ? ofProject : 'RESOURCE_NOT_SHARED',
        )
      },
    ),
  )
})

it('a token for one environment can access only that environment, and other callers can access all environments', () => {
  const session: Actor = { kind: 'session', userId: 'ada', sessionId: 's', instanceAdmin: false }
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), role, (mine, other, cap) => {
      expect(environmentRefusal(token(cap, mine), mine)).toBeUndefined()
      expect(environmentRefusal(token(cap, mine), other)?.code).toBe(
        mine === other ? undefined : 'RESOURCE_NOT_SHARED',
      )
      for (const actor of [token(cap, null), session]) {
        expect([onlyEnvironment(actor), environmentRefusal(actor, other)]).toEqual([null, undefined])
      }
    }),
  )
})
