import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { acceptInvitation } from '@/lib/features/workspaces/accept-invitation'
import { createInvitation } from '@/lib/features/workspaces/create-invitation'
import { raceForLock } from '@/lib/testing/concurrency'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { deleteProject } from './delete-project'

const actorOf = ({ id: userId }: { id: string }) =>
  ({ kind: 'session', userId, sessionId: randomUUID(), instanceAdmin: false }) as const

/**
 * Creates a project with an open invitation. Returns functions that delete the project and accept the
 * invitation.
 */
async function world() {
  const [admin, guest] = [await makeUser(), await makeUser()]
  const workspace = await makeWorkspace([[admin, 'ADMIN']])
  const { id: projectId } = await makeProject(workspace)
  await prisma().environment.create({ data: { projectId, name: 'production' } })
  const actor = actorOf(admin)
  const { link } = await createInvitation(actor, { projectId, email: guest.email, role: 'MEMBER' })
  return {
    projectId,
    remove: () => deleteProject(actor, projectId),
    accept: () => acceptInvitation(actorOf(guest), String(link).slice(String(link).lastIndexOf('/') + 1)),
  }
}

it('deleting a project invalidates an invitation that is accepted at the same time', async () => {
  const { projectId, remove, accept } = await world()
  const environments = 'SELECT FROM environments WHERE project_id = $1 FOR UPDATE'
  expect(await raceForLock(environments, projectId, remove, accept)).toEqual(['ok', 'NOT_FOUND'])
})

it('deleting a project removes the role of a user who accepts an invitation immediately before the deletion', async () => {
  const { projectId, remove, accept } = await world()
  const invitations = 'SELECT FROM invitations WHERE project_id = $1 FOR UPDATE'
  expect(await raceForLock(invitations, projectId, accept, remove)).toEqual(['ok', 'ok'])
  expect(await prisma().projectMember.count({ where: { projectId } })).toBe(0)
})
