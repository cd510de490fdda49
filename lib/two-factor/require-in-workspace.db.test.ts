import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { prisma } from '@/lib/db/prisma'
import { signUp } from '@/lib/people/sign-up'
import type { SessionActor } from '@/lib/policy/actor'
import { type SignInMethod, startSession } from '@/lib/sessions/start-session'
import { requireTwoFactorInWorkspace } from './require-in-workspace'

async function person(methods: SignInMethod[]): Promise<SessionActor> {
  const input = { name: 'Ada', email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
  const { userId } = await signUp({}, input)
  const sessionId = await startSession({}, userId, methods)
  return { kind: 'session', userId, sessionId, instanceAdmin: false }
}

it('is switched by an admin who has shown two factors, and is recorded', async () => {
  const ada = await person(['pwd', 'otp', 'mfa'])
  const { id } = await prisma().workspace.findFirstOrThrow({ where: { personalOwnerId: ada.userId } })
  const isRequired = async () =>
    (await prisma().workspace.findUniqueOrThrow({ where: { id } })).requireTwoFactor

  await requireTwoFactorInWorkspace(ada, id, true)
  expect(await isRequired()).toBe(true)
  const events = await prisma().auditEvent.findMany({ where: { workspaceId: id } })
  expect(events.map(({ action }) => action)).toContain('workspace.two_factor_required')

  const member = await person(['pwd', 'otp', 'mfa'])
  await expect(requireTwoFactorInWorkspace(member, id, false)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await prisma().workspaceMember.create({ data: { workspaceId: id, userId: member.userId, role: 'MEMBER' } })
  await expect(requireTwoFactorInWorkspace(member, id, false)).rejects.toMatchObject({ code: 'FORBIDDEN' })

  const once = await startSession({}, ada.userId, ['pwd'])
  await requireTwoFactorInWorkspace({ ...ada, sessionId: once }, id, false)
  await expect(requireTwoFactorInWorkspace({ ...ada, sessionId: once }, id, true)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
  expect(await isRequired()).toBe(false)
})
