import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { setRequiredApprovals } from '@/lib/features/app-access/policy'
import { decideApproval } from '@/lib/features/approvals/decide-approval'
import { readApproval } from '@/lib/features/approvals/read-approval'
import type { SessionActor } from '@/lib/policy/actor'
import { makeAccessToken } from '@/lib/testing/access-token'
import { callTool } from '@/lib/testing/call-tool'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startTestServer, type TestServer } from '@/lib/testing/server'

/** Actions that require approval: the request, the decision, and the next call. */
let server: TestServer
let user: Awaited<ReturnType<typeof makeUser>>
let workspace: Awaited<ReturnType<typeof makeWorkspace>>
let session: SessionActor
let app: { token: string; clientId: string }
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await makeUser()
  workspace = await makeWorkspace([[user, 'ADMIN']])
  session = await signIn(user.id)
  await setRequiredApprovals(session, workspace.id, {
    requiresApprovalFor: ['project:delete', 'project:read-values'],
  })
  app = await makeApp()
})

const makeApp = async () => {
  const { token, client } = await makeAccessToken(user, ['workspace:admin'], { workspaces: [workspace] })
  return { token, clientId: client.id }
}

async function signIn(userId: string, createdAt = new Date()): Promise<SessionActor> {
  const expiresAt = new Date(Date.now() + 3_600_000)
  const { id } = await prisma().session.create({ data: { userId, methods: ['pwd'], createdAt, expiresAt } })
  return { kind: 'session', userId, sessionId: id, instanceAdmin: false }
}

const call = (name: string, input: object, token = app.token) => callTool(token, name, input)

const askGraphQL = async (query: string, variables: object = {}) => {
  const reply = await server.fetch('/graphql/v2', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${app.token}` },
    body: JSON.stringify({ query, variables }),
  })
  return reply.json()
}

const isThere = async (id: string) => (await prisma().project.count({ where: { id } })) === 1

describe('an action that requires approval', () => {
  it('returns the approval page’s URL and succeeds after the user’s approval', async () => {
    const [project, other] = [await makeProject(workspace), await makeProject(workspace)]
    const asked = await call('delete_project', { id: project.id })
    expect(asked.text).toContain(`${server.url}/approvals/`)
    expect(asked.challenge).toContain('error="insufficient_user_authentication"')
    expect(asked.status).toBe(200)
    expect(await isThere(project.id)).toBe(true)

    expect(await readApproval(session, asked.approvalId)).toMatchObject({
      does: 'Delete a project',
      resource: { type: 'project', name: project.name, id: project.id },
      tool: 'delete_project',
      state: 'open',
    })
    await decideApproval(session, asked.approvalId, { decision: 'once' })
    const otherwise = await call('delete_project', { id: other.id })
    expect(otherwise.approvalId).not.toBe('')
    expect(otherwise.approvalId).not.toBe(asked.approvalId)

    expect((await call('delete_project', { id: project.id })).text).toContain('"deleted":true')
    expect([await isThere(project.id), await isThere(other.id)]).toEqual([false, true])
    expect((await readApproval(session, asked.approvalId)).state).toBe('used')
  })

  it('uses up a single-use approval, and the next call requires a new approval', async () => {
    const project = await makeProject(workspace)
    const environment = await prisma().environment.create({
      data: { projectId: project.id, name: 'Production' },
    })
    const read = () => call('read_variables', { environmentId: environment.id, names: ['A', 'B'] })
    await call('set_variables', {
      environmentId: environment.id,
      variables: ['A', 'B'].map((name) => ({ name, value: `the value of ${name}` })),
    })
    const { approvalId } = await read()
    await decideApproval(session, approvalId, { decision: 'once' })
    const [one, two] = [await read(), await read()]
    expect(one.text).toContain('the value of A')
    expect(one.text).toContain('the value of B')
    expect(two.text).not.toContain('the value of')
    expect(two.approvalId).not.toBe(approvalId)
  })

  it('can be repeated with an approval for one hour until the approval expires', async () => {
    const project = await makeProject(workspace)
    const environment = await prisma().environment.create({
      data: { projectId: project.id, name: 'Production' },
    })
    await call('set_variables', {
      environmentId: environment.id,
      variables: [{ name: 'A', value: 'the value' }],
    })
    const read = () => call('read_variables', { environmentId: environment.id, names: ['A'] })
    const { approvalId } = await read()
    await decideApproval(session, approvalId, { decision: 'hour' })
    await read()
    expect((await read()).text).toContain('the value')
    await prisma().approvalRequest.update({
      where: { id: approvalId },
      data: { validUntil: new Date(Date.now() - 1000) },
    })
    expect((await read()).text).toContain('APPROVAL_REQUIRED')
  })

  it('fails after a denial without creating a new approval request', async () => {
    const project = await makeProject(workspace)
    const { approvalId } = await call('delete_project', { id: project.id })
    await decideApproval(session, approvalId, { decision: 'deny' })
    const again = await call('delete_project', { id: project.id })
    expect(again.text).toContain(`The user denied this request: Delete a project (project ${project.id})`)
    expect(again.text).toMatch(/You can send it again after \d{4}-\d\d-\d\dT/)
    expect(again.text).not.toContain('(deleted)')
    expect(again.approvalId).toBe('')
    expect(await isThere(project.id)).toBe(true)
  })

  it('does not succeed with an approval for a different operation or a different app', async () => {
    const project = await makeProject(workspace)
    const environment = await prisma().environment.create({
      data: { projectId: project.id, name: 'Production' },
    })
    const { approvalId } = await call('delete_environment', { id: environment.id })
    await decideApproval(session, approvalId, { decision: 'once' })
    expect((await call('delete_project', { id: project.id })).text).toContain('APPROVAL_REQUIRED')
    const otherApp = await makeApp()
    expect((await call('delete_environment', { id: environment.id }, otherApp.token)).text).toContain(
      'APPROVAL_REQUIRED',
    )
  })
})

describe('an approval request', () => {
  it('can be decided only by the user, who needs a recent sign-in to approve but not to deny', async () => {
    const project = await makeProject(workspace)
    const { approvalId } = await call('delete_project', { id: project.id })
    const stranger = await signIn((await makeUser()).id)
    await expect(decideApproval(stranger, approvalId, { decision: 'once' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(readApproval(stranger, approvalId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const stale = await signIn(user.id, new Date(Date.now() - 20 * 60_000))
    await expect(decideApproval(stale, approvalId, { decision: 'once' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await decideApproval(stale, approvalId, { decision: 'deny' })
    await expect(decideApproval(session, approvalId, { decision: 'once' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('appears once in the user’s notifications even if the call is repeated', async () => {
    const project = await makeProject(workspace)
    const { approvalId } = await call('delete_project', { id: project.id })
    await call('delete_project', { id: project.id })
    const notifications = await prisma().notification.findMany({ where: { userId: user.id } })
    expect(notifications.map(({ resource }) => resource)).toEqual([{ type: 'approval', id: approvalId }])
    expect(notifications[0]?.body).toContain(project.name)
  })

  it('is recorded with its approval in the workspace’s audit log', async () => {
    const project = await makeProject(workspace)
    const { approvalId } = await call('delete_project', { id: project.id })
    await decideApproval(session, approvalId, { decision: 'once' })
    const events = await prisma().auditEvent.findMany({
      where: { workspaceId: workspace.id, resourceType: 'approval' },
      orderBy: { id: 'asc' },
    })
    expect(events.map(({ action, actorKind }) => [action, actorKind])).toEqual([
      ['approval.requested', 'oauth'],
      ['approval.approved', 'session'],
    ])
    expect(events[1]?.details).toMatchObject({ clientId: app.clientId, for: 'once' })
  })
})

describe('the approval rule', () => {
  it('applies to the GraphQL API, whose error contains the approval page’s URL', async () => {
    const project = await makeProject(workspace)
    const query = 'mutation ($id: ID!) { projectDelete(id: $id) }'
    const ask = () => askGraphQL(query, { id: project.id })
    const { errors } = await ask()
    expect(errors[0].extensions).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      permission: 'project:delete',
      resource: { type: 'project', id: project.id },
    })
    const id = String(errors[0].extensions.approvalUrl).replace(`${server.url}/approvals/`, '')
    await decideApproval(session, id, { decision: 'once' })
    expect((await ask()).data).toEqual({ projectDelete: true })
  })

  it('does not apply to the user’s own tokens', async () => {
    const project = await makeProject(workspace)
    const { token } = await makeApiToken(user, {})
    expect((await call('delete_project', { id: project.id }, token)).text).toContain('"deleted":true')
  })

  it('cannot be changed by an app', async () => {
    const query = `mutation { workspaceRequiredApprovalsUpdate(workspaceId: "${workspace.id}", requiresApprovalFor: []) { id } }`
    const { errors } = await askGraphQL(query)
    expect(errors[0].extensions.code).toBe('FORBIDDEN')
  })

  it('can be set for every workspace with REQUIRE_APPROVAL', async () => {
    const { id } = await makeWorkspace([[user, 'ADMIN']])
    const { token } = await makeAccessToken(user, ['workspace:admin'], { workspaces: [{ id }] })
    const before = process.env.REQUIRE_APPROVAL
    process.env.REQUIRE_APPROVAL = 'project:delete'
    resetConfig()
    const project = await makeProject({ id })
    expect((await call('delete_project', { id: project.id }, token)).text).toContain('APPROVAL_REQUIRED')
    process.env.REQUIRE_APPROVAL = before ?? ''
    resetConfig()
    expect((await call('delete_project', { id: project.id }, token)).text).toContain('"deleted":true')
  })

  it('does not apply to a caller without permission, who gets an error and no approval request', async () => {
    const viewer = await makeUser()
    await prisma().workspaceMember.create({
      data: { workspaceId: workspace.id, userId: viewer.id, role: 'VIEWER' },
    })
    const { token } = await makeAccessToken(viewer, ['workspace:admin'], { workspaces: [workspace] })
    const project = await makeProject(workspace)
    const refused = await call('delete_project', { id: project.id }, token)
    expect(refused.text).toContain('FORBIDDEN')
    expect(await prisma().approvalRequest.count({ where: { userId: viewer.id } })).toBe(0)
  })
})
