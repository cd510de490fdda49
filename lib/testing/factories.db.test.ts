import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { emptyDatabase } from './database'
import { joinWorkspace, makeApiToken, makeClient, makeProject, makeUser, makeWorkspace } from './factories'
import { startTestServer } from './server'

it('the factories create consistent rows', async () => {
  const ada = await makeUser()
  const workspace = await makeWorkspace([[ada, 'ADMIN']])
  const grace = await makeUser({ name: 'Grace' })
  await joinWorkspace(workspace, grace, 'MEMBER')
  await joinWorkspace(workspace, grace, 'VIEWER')
  const project = await makeProject(workspace, [[grace, 'ADMIN']])
  const { client, secret } = await makeClient(workspace)
  const native = await makeClient(undefined, { type: 'NATIVE', source: 'DYNAMIC' })
  const { row, token } = await makeApiToken(ada, { project })

  expect(await prisma().workspaceMember.count({ where: { workspaceId: workspace.id, role: 'VIEWER' } })).toBe(
    1,
  )
  expect(secret).toMatch(/^lk_cs_/)
  expect(client.workspaceId).toBe(workspace.id)
  expect(native.secret).toBeUndefined()
  expect(row.kind).toBe('PROJECT')
  expect(token).toMatch(/^lk_pjt_/)
})

it('emptyDatabase deletes existing users', async () => {
  await makeUser()
  await emptyDatabase()
  expect(await prisma().user.count()).toBe(0)
})

it('the test server returns 404 for a page and 400 for a malformed URL', async () => {
  const server = await startTestServer()
  expect((await server.fetch('/login')).status).toBe(404)
  expect((await server.fetch('/%ZZ')).status).toBe(400)
})
