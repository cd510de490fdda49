import { expect, it } from 'vitest'
import { countAttempt } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { queryApi } from '@/lib/testing/app-requests'
import { callTool } from '@/lib/testing/call-tool'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startTestServer } from '@/lib/testing/server'

it('an app that has reached its limit of approval requests creates no more requests or notifications', async () => {
  await startTestServer()
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  const { id } = workspace
  await prisma().workspace.update({ where: { id }, data: { requiresApprovalFor: ['project:delete'] } })
  const makeApp = () => makeAccessToken(user, ['workspace:admin'], { workspaces: [workspace] })
  const [app, other] = [await makeApp(), await makeApp()]
  const where = { clientId: app.client.id }
  const { id: authorizationId } = await prisma().authorization.findFirstOrThrow({ where })
  const used = { name: 'approval-requests', points: 60, seconds: 3600, message: '' }
  for (let n = 0; n < 60; n++) await countAttempt(used, authorizationId)
  const project = await makeProject(workspace)

  const { text, approvalId } = await callTool(app.token, 'delete_project', { id: project.id })
  expect([approvalId, text.includes('APPROVAL_REQUIRED')]).toEqual(['', true])
  expect((await queryApi(app.token, `mutation { projectDelete(id: "${project.id}") }`)).code).toBe(
    'APPROVAL_REQUIRED',
  )
  expect(await prisma().project.count({ where: { id: project.id } })).toBe(1)
  expect(await prisma().notification.count({ where: { userId: user.id } })).toBe(0)
  // Another app of the same user has its own limit.
  expect((await callTool(other.token, 'delete_project', { id: project.id })).approvalId).not.toBe('')
})
