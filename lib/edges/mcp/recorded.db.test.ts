import { beforeAll, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { gatheredCalls, listLastActions } from '@/lib/features/audit/list-last-actions'
import { makeAccessToken } from '@/lib/testing/access-token'
import { sendToMcp, toolCall } from '@/lib/testing/call-tool'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startTestServer } from '@/lib/testing/server'

/** The audit events and app activity that record an agent's actions. */
let user: Awaited<ReturnType<typeof makeUser>>
let workspace: Awaited<ReturnType<typeof makeWorkspace>>
beforeAll(async () => {
  await startTestServer()
  user = await makeUser()
  workspace = await makeWorkspace([[user, 'ADMIN']])
})

async function appWith(...scopes: string[]) {
  const { token, client } = await makeAccessToken(user, scopes, { workspaces: [workspace] })
  return { token, clientId: client.id }
}

const call = (token: string, name: string, input: object = {}, headers: Record<string, string> = {}) =>
  sendToMcp(toolCall(name, input), token, headers)

const actionsOf = async (clientId: string) => {
  const session = { kind: 'session', userId: user.id, sessionId: '', instanceAdmin: false } as const
  return (await listLastActions(session, [clientId], 10)).map(({ action, resourceId, details }) => ({
    action,
    resourceId,
    details,
  }))
}

it('for a change by an agent, the workspace’s audit log records the tool and the names of its arguments', async () => {
  const { token, clientId } = await appWith('workspace:member')
  await call(token, 'create_project', {
    workspaceId: workspace.id,
    name: 'Nova',
    description: 'of a secret kind',
  })
  const [event] = await prisma().auditEvent.findMany({
    where: { workspaceId: workspace.id, actorId: clientId },
  })
  expect(event).toMatchObject({ action: 'project.created', userId: user.id, actorKind: 'oauth' })
  expect(event?.details).toMatchObject({
    name: 'Nova',
    tool: { name: 'create_project', arguments: ['workspaceId', 'name', 'description'] },
  })
  expect(JSON.stringify(event)).not.toContain('of a secret kind')
})

it('listing resources without a project scope records no error', async () => {
  const { token, clientId } = await appWith('openid')
  const reply = await sendToMcp({ jsonrpc: '2.0', id: 1, method: 'resources/list' }, token)
  expect(reply.status).toBe(200)
  expect(await reply.text()).toContain('schema.graphql')
  await gatheredCalls.now()
  expect(await actionsOf(clientId)).toEqual([])
})

it('an agent’s reads and errors are visible to the user but not in the workspace’s audit log', async () => {
  const { token, clientId } = await appWith('workspace:viewer')
  const project = await makeProject(workspace)
  await call(token, 'get_project', { id: project.id })
  await call(token, 'delete_project', { id: project.id })
  expect(await actionsOf(clientId)).toEqual([
    {
      action: 'tool.refused',
      resourceId: 'delete_project',
      details: { tool: { name: 'delete_project', arguments: ['id'] }, refused: 'INSUFFICIENT_SCOPE' },
    },
    {
      action: 'tool.called',
      resourceId: 'get_project',
      details: { tool: { name: 'get_project', arguments: ['id'] } },
    },
  ])
  await gatheredCalls.now()
  const rows = await prisma().auditEvent.findMany({ where: { actorId: clientId } })
  expect(rows.map(({ workspaceId }) => workspaceId)).toEqual([null, null])
})

it('an app’s activity for one user is hidden from other users', async () => {
  const { token, clientId } = await appWith('workspace:viewer')
  await call(token, 'list_projects')
  const stranger = await makeUser()
  const session = { kind: 'session', userId: stranger.id, sessionId: '', instanceAdmin: false } as const
  expect(await listLastActions(session, [clientId], 10)).toEqual([])
})

it('two calls with the same Idempotency-Key create one project and get the same response', async () => {
  const { token } = await appWith('workspace:member')
  const input = { workspaceId: workspace.id, name: 'Once' }
  const twice = () => call(token, 'create_project', input, { 'idempotency-key': 'a-key' })
  const first = await (await twice()).text()
  const second = await twice()
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(await second.text()).toBe(first)
  expect(await prisma().project.count({ where: { workspaceId: workspace.id, name: 'Once' } })).toBe(1)
})
