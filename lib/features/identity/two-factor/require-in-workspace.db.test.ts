import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { requireProject, requireWorkspace } from '@/lib/policy/require'
import { hasTwoFactors } from '@/lib/policy/two-factor'
import { visibleProjects, visibleWorkspaces } from '@/lib/policy/visible'
import { type SignInMethod, startSession } from '../sessions/start-session'
import { signUp } from '../users/sign-up'
import { requireTwoFactorInWorkspace } from './require-in-workspace'

async function user(methods: SignInMethod[]): Promise<SessionActor> {
  const input = { name: 'Ada', email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
  const { userId } = await signUp({}, input)
  const sessionId = await startSession({}, userId, methods)
  return { kind: 'session', userId, sessionId, instanceAdmin: false, twoFactor: hasTwoFactors(methods) }
}

it('only an admin with two factors can change a workspace’s two-factor requirement, and the change is audited', async () => {
  const ada = await user(['pwd', 'otp', 'mfa'])
  const { id } = await prisma().workspace.findFirstOrThrow({ where: { personalOwnerId: ada.userId } })
  const isRequired = async () =>
    (await prisma().workspace.findUniqueOrThrow({ where: { id } })).requireTwoFactor

  await requireTwoFactorInWorkspace(ada, id, true)
  expect(await isRequired()).toBe(true)
  const events = await prisma().auditEvent.findMany({ where: { workspaceId: id } })
  expect(events.map(({ action }) => action)).toContain('workspace.two_factor_required')

  const member = await user(['pwd', 'otp', 'mfa'])
  await expect(requireTwoFactorInWorkspace(member, id, false)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await prisma().workspaceMember.create({ data: { workspaceId: id, userId: member.userId, role: 'MEMBER' } })
  await expect(requireTwoFactorInWorkspace(member, id, false)).rejects.toMatchObject({ code: 'FORBIDDEN' })

  // With one factor, the admin loses access like all members, and cannot restore the requirement after its
  // removal.
  const once: SessionActor = { ...ada, twoFactor: false }
  await expect(requireTwoFactorInWorkspace(once, id, false)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await requireTwoFactorInWorkspace(ada, id, false)
  await expect(requireTwoFactorInWorkspace(once, id, true)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await isRequired()).toBe(false)
})

it('if a workspace requires two factors, sessions and tokens without them cannot access the workspace or its projects', async () => {
  const ada = await user(['pwd', 'otp', 'mfa'])
  const { id } = await prisma().workspace.findFirstOrThrow({ where: { personalOwnerId: ada.userId } })
  const project = await prisma().project.create({ data: { workspaceId: id, name: 'Website' } })
  const once: SessionActor = { ...ada, twoFactor: false }
  const token: Actor = { kind: 'account-token', userId: ada.userId, tokenId: randomUUID(), role: 'ADMIN' }
  const strong: Actor = { ...token, twoFactor: true }
  const sees = async (actor: Actor) => ({
    workspaces: (await prisma().workspace.findMany({ where: visibleWorkspaces(actor) })).length,
    projects: (await prisma().project.findMany({ where: visibleProjects(actor) })).length,
  })
  expect(await sees(once)).toEqual({ workspaces: 1, projects: 1 })
  await requireTwoFactorInWorkspace(ada, id, true)
  for (const actor of [once, token]) expect(await sees(actor)).toEqual({ workspaces: 0, projects: 0 })
  for (const actor of [ada, strong]) expect(await sees(actor)).toEqual({ workspaces: 1, projects: 1 })
  const gated = { code: 'FORBIDDEN', message: expect.stringContaining('two-factor') }
  for (const actor of [once, token]) {
    await expect(requireWorkspace(actor, 'workspace:read', id)).rejects.toMatchObject(gated)
    await expect(requireProject(actor, 'project:read', project.id)).rejects.toMatchObject(gated)
  }
  for (const actor of [ada, strong]) await requireProject(actor, 'project:read', project.id)
})
