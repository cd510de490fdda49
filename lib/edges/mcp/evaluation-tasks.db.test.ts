import { beforeAll, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { setVariables } from '@/lib/features/projects/set-variables'
import type { Actor } from '@/lib/policy/actor'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startTestServer, type TestServer } from '@/lib/testing/server'

/** A function that calls a tool and returns its structured content. It throws an Error if the call fails. */
type Call = (name: string, input?: Record<string, unknown>) => Promise<Data>
// biome-ignore lint/suspicious/noExplicitAny: the result of any tool
type Data = any

/**
 * A task in a user's words. `solve` makes the number of tool calls in `calls`, and its result, as JSON, must
 * contain the text `holds`. `most` is the maximum total size of the results of these calls, in bytes. If a
 * tool becomes more verbose, its task exceeds this size, and the test fails.
 */
type Task = {
  says: string
  calls: number
  most: number
  solve: (call: Call) => Promise<unknown>
  holds: string
}

/** Calls the `search` tool. Returns the first result of a kind, or undefined if there is none. */
const find = async (call: Call, text: string, kind: string): Promise<Data> => {
  const { search } = await call('search', { text })
  return search.nodes.find((each: Data) => each.kind === kind)
}

const inWorkspace =
  (tool: string, more: object = {}) =>
  async (call: Call) => {
    const { id } = await find(call, 'Acme', 'WORKSPACE')
    return call(tool, { workspaceId: id, ...more })
  }

const inEnvironment =
  (name: string, tool: string, more: object = {}) =>
  async (call: Call) => {
    const { id } = await find(call, name, 'ENVIRONMENT')
    return call(tool, { environmentId: id, ...more })
  }

// biome-ignore format: one task per row
const tasks: Task[] = [
  { says: 'Who am I here?', calls: 1, most: 1_200, holds: 'ada@example.test', solve: (call) => call('who_am_i') },
  { says: 'Which workspaces can I work in?', calls: 1, most: 500, holds: 'Acme', solve: (call) => call('list_workspaces') },
  { says: 'What is in Acme?', calls: 2, most: 1_800, holds: 'Orbit', solve: inWorkspace('get_workspace') },
  { says: 'What projects do I have?', calls: 1, most: 1_200, holds: 'Payments', solve: (call) => call('list_projects') },
  { says: 'Is there a project about payments?', calls: 1, most: 1_400, holds: 'Payments', solve: (call) => call('search', { text: 'payments' }) },
  { says: 'Show me Orbit.', calls: 2, most: 3_000, holds: 'Production', solve: async (call) => call('get_project', { id: (await find(call, 'Orbit', 'PROJECT')).id }) },
  { says: 'Start a project called Comet in Acme.', calls: 2, most: 1_900, holds: 'Comet', solve: inWorkspace('create_project', { name: 'Comet' }) },
  { says: 'Rename Comet to Meteor.', calls: 2, most: 1_900, holds: 'Meteor', solve: async (call) => call('update_project', { id: (await find(call, 'Comet', 'PROJECT')).id, name: 'Meteor' }) },
  { says: 'Delete Meteor.', calls: 2, most: 1_200, holds: 'true', solve: async (call) => call('delete_project', { id: (await find(call, 'Meteor', 'PROJECT')).id }) },
  { says: 'Which environments does Orbit have?', calls: 2, most: 2_900, holds: 'Staging', solve: async (call) => call('list_environments', { projectId: (await find(call, 'Orbit', 'PROJECT')).id }) },
  { says: 'Give Orbit a preview environment.', calls: 2, most: 2_000, holds: 'Preview', solve: async (call) => call('create_environment', { projectId: (await find(call, 'Orbit', 'PROJECT')).id, name: 'Preview' }) },
  { says: 'Rename Orbit’s preview to review.', calls: 2, most: 1_800, holds: 'Review', solve: async (call) => call('rename_environment', { id: (await find(call, 'Orbit Preview', 'ENVIRONMENT')).id, name: 'Review' }) },
  { says: 'Delete Orbit’s review environment.', calls: 2, most: 1_600, holds: 'true', solve: async (call) => call('delete_environment', { id: (await find(call, 'Orbit Review', 'ENVIRONMENT')).id }) },
  { says: 'Which variables does Orbit’s production have?', calls: 2, most: 2_500, holds: 'DATABASE_URL', solve: inEnvironment('Orbit Production', 'list_variables') },
  { says: 'Where is SENTRY_DSN set?', calls: 1, most: 1_200, holds: 'Production', solve: (call) => call('search', { text: 'SENTRY_DSN' }) },
  { says: 'What is LOG_LEVEL in Orbit’s staging?', calls: 2, most: 1_800, holds: 'debug', solve: inEnvironment('Orbit Staging', 'read_variables', { names: ['LOG_LEVEL'] }) },
  { says: 'Set LOG_LEVEL to info in Orbit’s staging.', calls: 2, most: 1_800, holds: 'LOG_LEVEL', solve: inEnvironment('Orbit Staging', 'set_variables', { variables: [{ name: 'LOG_LEVEL', value: 'info' }] }) },
  { says: 'Remove LOG_LEVEL from Orbit’s staging.', calls: 2, most: 1_500, holds: 'true', solve: inEnvironment('Orbit Staging', 'delete_variable', { name: 'LOG_LEVEL' }) },
  { says: 'Which variables does production have that staging doesn’t?', calls: 3, most: 3_900, holds: 'SENTRY_DSN', solve: async (call) => { const { search } = await call('search', { text: 'Orbit' }); const projectId = search.nodes.find((each: Data) => each.kind === 'PROJECT').id; const { environments } = await call('list_environments', { projectId }); const production = environments.nodes.find((each: Data) => each.name === 'Production'); return call('list_variables', { environmentId: production.id }) } },
  { says: 'Who works with us in Acme?', calls: 2, most: 1_800, holds: 'Grace', solve: inWorkspace('list_members') },
  { says: 'Make Grace an admin.', calls: 2, most: 1_300, holds: 'ADMIN', solve: async (call) => { const { id, workspaceId } = await find(call, 'Grace', 'MEMBER'); return call('change_member_role', { workspaceId, userId: id, role: 'ADMIN' }) } },
  { says: 'Invite edsger@example.test as a viewer.', calls: 2, most: 2_000, holds: 'edsger', solve: inWorkspace('invite_member', { email: 'edsger@example.test', role: 'VIEWER' }) },
  { says: 'Revoke Edsger’s invitation.', calls: 3, most: 2_200, holds: 'true', solve: async (call) => { const { workspaceInvitations } = await inWorkspace('list_invitations')(call); return call('revoke_invitation', { id: workspaceInvitations.nodes[0].id }) } },
  { says: 'Why does signing in to Foreman fail?', calls: 2, most: 2_200, holds: 'invalid_redirect_uri', solve: async (call) => call('explain_oauth_app', { id: (await find(call, 'Foreman', 'OAUTH_APP')).id }) },
  { says: 'Where does Foreman redirect users after they sign in?', calls: 2, most: 2_600, holds: 'foreman.example', solve: async (call) => call('get_oauth_app', { id: (await find(call, 'Foreman', 'OAUTH_APP')).id }) },
  { says: 'Add Foreman’s new redirect URI.', calls: 3, most: 3_600, holds: 'new.foreman.example', solve: async (call) => { const { id } = await find(call, 'Foreman', 'OAUTH_APP'); const { oauthApp } = await call('get_oauth_app', { id }); return call('update_oauth_app', { id, redirectUris: [...oauthApp.redirectUris, 'https://new.foreman.example/callback'] }) } },
  { says: 'Which tokens does Acme have?', calls: 2, most: 2_200, holds: 'deploys', solve: inWorkspace('list_tokens') },
  { says: 'Revoke the token deploys.', calls: 2, most: 1_100, holds: 'true', solve: async (call) => call('revoke_token', { id: (await find(call, 'deploys', 'API_TOKEN')).id }) },
  { says: 'Who deleted a project in Acme?', calls: 2, most: 2_600, holds: 'project.deleted', solve: inWorkspace('read_audit_log', { action: 'project.deleted' }) },
  { says: 'Notify our webhook at hooks.example of new projects.', calls: 3, most: 3_200, holds: 'hooks.example', solve: async (call) => { await call('describe_schema', { search: 'webhook create' }); const { id } = await find(call, 'Acme', 'WORKSPACE'); return call('run_mutation', { query: 'mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { webhook { id url } } }', variables: { input: { workspaceId: id, url: 'https://hooks.example/new', events: ['project.created'] } } }) } },
]

/**
 * Thirty tasks in sequence, in one workspace, over HTTP. No model runs: the tests measure how much a model
 * would read.
 */
let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  const ada = await makeUser({ name: 'Ada', email: 'ada@example.test' })
  const grace = await makeUser({ name: 'Grace' })
  const acme = await makeWorkspace(
    [
      [ada, 'ADMIN'],
      [grace, 'MEMBER'],
    ],
    { name: 'Acme' },
  )
  const orbit = await makeProject(acme, [], { name: 'Orbit' })
  await makeProject(acme, [], { name: 'Payments' })
  const actor: Actor = {
    kind: 'account-token',
    userId: ada.id,
    tokenId: ada.id,
    role: 'ADMIN',
    twoFactor: false,
  }
  const variables = {
    Production: ['DATABASE_URL', 'LOG_LEVEL', 'SENTRY_DSN'],
    Staging: ['DATABASE_URL', 'LOG_LEVEL'],
  }
  for (const [name, names] of Object.entries(variables)) {
    const { id } = await prisma().environment.create({ data: { projectId: orbit.id, name } })
    await setVariables(actor, {
      environmentId: id,
      variables: names.map((each) => ({ name: each, value: each === 'LOG_LEVEL' ? 'debug' : 'secret' })),
    })
  }
  const { client } = await makeClient(acme, {
    name: 'Foreman',
    redirectUris: ['https://foreman.example/callback'],
  })
  await prisma().appFailure.create({
    data: {
      clientId: client.id,
      endpoint: 'authorization',
      error: 'invalid_redirect_uri',
      description: 'Not registered.',
    },
  })
  const { row } = await makeApiToken(ada, { workspace: acme })
  await prisma().apiToken.update({ where: { id: row.id }, data: { name: 'deploys' } })
  token = (
    await makeAccessToken(ada, ['openid', 'email', 'profile', 'workspace:admin'], { workspaces: [acme] })
  ).token
})

/** Returns a function that calls tools and counts the bytes that a model has to read. */
function counted() {
  const spent = { calls: 0, bytes: 0 }
  const call: Call = async (name, input = {}) => {
    const reply = await server.fetch('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: input },
      }),
    })
    const text = await reply.text()
    spent.calls += 1
    const { result } = JSON.parse(text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] as string))
    if (!result || result.isError) throw new Error(`${name} answered ${text}`)
    spent.bytes += Buffer.byteLength(JSON.stringify(result))
    return result.structuredContent
  }
  return { spent, call }
}

it('the evaluation has thirty different tasks', () => {
  expect(tasks).toHaveLength(30)
  expect(new Set(tasks.map(({ says }) => says)).size).toBe(30)
})

it.each(tasks)(
  'the tools answer a task with the expected number of calls and response size: $says',
  async ({ solve, holds, calls, most }) => {
    const { spent, call } = counted()
    expect(JSON.stringify(await solve(call))).toContain(holds)
    expect(spent.calls).toBe(calls)
    // The limit is at most 1.5 times the actual size.
    expect(spent.bytes).toBeLessThanOrEqual(most)
    expect(spent.bytes * 1.5).toBeGreaterThan(most)
  },
)

it('the tool list is smaller than 41,000 bytes', async () => {
  const reply = await server.fetch('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
  expect(Buffer.byteLength(await reply.text())).toBeLessThan(41_000)
})
