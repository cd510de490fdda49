import { expect, it } from 'vitest'
import { isAppError } from '@/lib/base/errors/app-error'
import { fc } from '@/lib/testing/seeded-cases'
import type { Actor } from './actor'
import { authorizeProject } from './authorize'
import { onlyEnvironment, refusedEnvironment } from './one-environment'
import { type ProjectPermission, permissions } from './permissions'
import type { Role } from './roles'

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

it('a token for one environment may what one for the project may, of reading it and of variables alone', () => {
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

it('reaches its environment and no other; every other caller reaches all', () => {
  const session: Actor = { kind: 'session', userId: 'ada', sessionId: 's', instanceAdmin: false }
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), role, (mine, other, cap) => {
      expect(refusedEnvironment(token(cap, mine), mine)).toBeUndefined()
      expect(refusedEnvironment(token(cap, mine), other)?.code).toBe(
        mine === other ? undefined : 'RESOURCE_NOT_SHARED',
      )
      for (const actor of [token(cap, null), session]) {
        expect([onlyEnvironment(actor), refusedEnvironment(actor, other)]).toEqual([null, undefined])
      }
    }),
  )
})
