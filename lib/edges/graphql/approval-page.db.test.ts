import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { setRequiredApprovals } from '@/lib/features/app-access/policy'
import { readApproval } from '@/lib/features/approvals/read-approval'
import type { SessionActor } from '@/lib/policy/actor'
import { workspaceActions } from '@/lib/policy/approvals'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { type GraphQLReply, serveGraphQL } from '@/lib/testing/graphql-server'

const api = serveGraphQL()

let workspace: Awaited<ReturnType<typeof makeWorkspace>>
let project: Awaited<ReturnType<typeof makeProject>>
let environment: { id: string }
let session: SessionActor
let app: Awaited<ReturnType<typeof makeAccessToken>>

beforeEach(async () => {
  const user = await makeUser()
  workspace = await makeWorkspace([[user, 'ADMIN']])
  project = await makeProject(workspace)
  environment = await prisma().environment.create({ data: { projectId: project.id, name: 'Production' } })
  session = { kind: 'session', userId: user.id, sessionId: 'none', instanceAdmin: false }
  await setRequiredApprovals(session, workspace.id, { requiresApprovalFor: workspaceActions })
  app = await makeAccessToken(user, ['workspace:admin'], { workspaces: [workspace] })
})

const run = (query: string, variables: object = {}) => api.execute(app.token, query, variables)
const requestOf = ({ errors }: GraphQLReply) =>
  String(errors?.[0]?.extensions.approvalUrl ?? '')
    .split('/')
    .at(-1) as string

describe('the approval page', () => {
  it('shows a renamed project’s contents, its former name, and the app that renamed it', async () => {
    await prisma().environment.create({ data: { projectId: project.id, name: 'Staging' } })
    const rename =
      'mutation ($id: ID!) { projectUpdate(id: $id, input: { name: "tmp-scratch (safe to remove)" }) { id } }'
    expect((await run(rename, { id: project.id })).errors).toBeUndefined()
    const request = await readApproval(
      session,
      requestOf(await run('mutation ($id: ID!) { projectDelete(id: $id) }', { id: project.id })),
    )
    expect(request.does).toBe('Delete a project')
    expect(request.resource).toMatchObject({
      id: project.id,
      href: `/workspaces/${workspace.slug}/projects/${project.id}`,
      createdAt: project.createdAt,
      renames: [{ from: project.name, to: 'tmp-scratch (safe to remove)' }],
    })
    expect(request.resource?.renames[0]?.by).toContain(app.client.name)
    expect(request.resource?.contains[0]).toBe('2 environments: Production, Staging')
  })

  it.each(['ID!', 'String!'])(
    'shows a rename by an app that sends the ID in uppercase and declares it as %s',
    async (type) => {
      await setRequiredApprovals(session, workspace.id, { requiresApprovalFor: ['workspace:delete'] })
      const id = workspace.id.toUpperCase()
      const rename = `mutation ($id: ${type}) { workspaceUpdate(id: $id, input: { name: "tmp" }) { id } }`
      expect((await run(rename, { id })).errors).toBeUndefined()
      const asked = await run(`mutation { workspaceDelete(id: "${id}") }`)
      const { resource } = await readApproval(session, requestOf(asked))
      expect(resource).toMatchObject({ id: workspace.id, renames: [{ to: 'tmp' }] })
    },
  )

  it('does not show a change of the description as a rename', async () => {
    const other = await makeProject(workspace)
    const change = 'mutation ($id: ID!) { projectUpdate(id: $id, input: { description: "new" }) { id } }'
    for (let times = 0; times < 6; times++) await run(change, { id: other.id })
    const remove = await run('mutation ($id: ID!) { projectDelete(id: $id) }', { id: other.id })
    expect((await readApproval(session, requestOf(remove))).resource?.renames).toEqual([])
  })

  it('shows the ID but not the email address of a user whom the signed-in user cannot see', async () => {
    const stranger = await makeUser()
    const query = `mutation { workspaceMemberUpdate(input: { workspaceId: "${workspace.id}", userId: "${stranger.id}", role: ADMIN }) { id } }`
    const shown = JSON.stringify((await readApproval(session, requestOf(await run(query)))).arguments)
    expect(shown).toContain(stranger.id)
    expect(shown).not.toContain(stranger.email)
  })

  it('lists the variables whose values the app’s query would return', async () => {
    const names = ['ALPHA', 'BETA']
    await prisma().variable.createMany({
      data: names.map((name) => ({ environmentId: environment.id, name, sealedValue: new Uint8Array(40) })),
    })
    const query = `{ variables(environmentId: "${environment.id}") { nodes { name value } } }`
    const request = await readApproval(session, requestOf(await run(query)))
    expect(request).toMatchObject({ hourly: true, resource: { type: 'environment', variables: names } })
  })
})
