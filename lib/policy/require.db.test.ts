import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { callerFromBearer } from './bearer'
import { requireProject, requireWorkspace } from './require'

it('requireWorkspace and requireProject return the columns that Prisma returns and the caller’s roles', async () => {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  const project = await makeProject(workspace, [[user, 'VIEWER']])
  const caller = await callerFromBearer((await makeApiToken(user)).token)
  if (!caller) throw new Error('no caller')
  expect(await requireWorkspace(caller.actor, 'workspace:read', workspace.id)).toEqual({
    ...(await prisma().workspace.findUniqueOrThrow({
      where: { id: workspace.id },
      omit: { demo: true },
    })),
    role: 'ADMIN',
    appDecision: null,
  })
  expect(await requireProject(caller.actor, 'project:read', project.id)).toMatchObject({
    ...(await prisma().project.findUniqueOrThrow({ where: { id: project.id } })),
    workspaceRole: 'ADMIN',
    projectRole: 'VIEWER',
  })
})

it('requireWorkspace finds a workspace by its ID in upper case', async () => {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  const { token } = await makeApiToken(user, { workspace })
  const caller = await callerFromBearer(token)
  if (!caller) throw new Error('no caller')
  const found = await requireWorkspace(caller.actor, 'workspace:read', workspace.id.toUpperCase())
  expect(found.id).toBe(workspace.id)
})
