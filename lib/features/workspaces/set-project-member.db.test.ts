import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { isAppError } from '@/lib/base/errors/app-error'
import type { Actor } from '@/lib/policy/actor'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { addProjectMember } from './set-project-member'

const asSession = (user: { id: string }): Actor => ({
  kind: 'session',
  userId: user.id,
  sessionId: 's',
  instanceAdmin: false,
})

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error) => (isAppError(error) ? error.code : Promise.reject(error)),
  )

it('addProjectMember adds workspace members immediately, invites anyone else, and rejects existing project members', async () => {
  const [admin, colleague, stranger] = [await makeUser(), await makeUser(), await makeUser()]
  const workspace = await makeWorkspace([
    [admin, 'ADMIN'],
    [colleague, 'VIEWER'],
  ])
  const { id: projectId } = await makeProject(workspace)
  const add = (actor: { id: string }, email: string, role = 'MEMBER') =>
    addProjectMember(asSession(actor), { projectId, email, role })

  expect(await codeOf(add(colleague, stranger.email))).toBe('FORBIDDEN')
  expect(await add(admin, colleague.email.toUpperCase())).toEqual({})
  expect(await prisma().projectMember.findMany({ where: { projectId } })).toMatchObject([
    { userId: colleague.id, role: 'MEMBER' },
  ])
  expect(await codeOf(add(admin, colleague.email))).toBe('CONFLICT')

  // The result does not depend on whether the address has an account.
  for (const email of [stranger.email, 'unregistered@example.com']) {
    expect((await add(admin, email)).link).toMatch(/\/invitations\//)
  }
  expect(await prisma().projectMember.count({ where: { projectId } })).toBe(1)
  expect(await codeOf(add(admin, 'no address'))).toBe('BAD_USER_INPUT')
})
