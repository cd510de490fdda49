import Ajv2020 from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { schema } from '@/lib/edges/graphql/schema'
import { scopeTable } from '@/lib/policy/scopes'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startTestServer, type TestServer } from '@/lib/testing/server'
import { allTools, makeToolBox } from './tool-box'

/** Every tool requires the scope that it documents, and its results match its output schema. */
let server: TestServer
let user: Awaited<ReturnType<typeof makeUser>>
let workspace: Awaited<ReturnType<typeof makeWorkspace>>
/** A value for each input name. The value of `id` depends on the tool. */
let world: Record<string, unknown>
beforeAll(async () => {
  server = await startTestServer()
  user = await makeUser()
  workspace = await makeWorkspace([[user, 'ADMIN']])
  const project = await makeProject(workspace)
  const other = await makeUser()
  const { client } = await makeClient(workspace)
  const { row: token } = await makeApiToken(user, { workspace })
  const environment = await prisma().environment.create({
    data: { projectId: project.id, name: 'Production' },
  })
  const invitation = await prisma().invitation.create({
    data: {
      workspaceId: workspace.id,
      email: 'invited@example.com',
      role: 'VIEWER',
      hash: new Uint8Array(32),
      expiresAt: new Date(Date.now() + 3_600_000),
    },
  })
  world = {
    workspaceId: workspace.id,
    projectId: project.id,
    environmentId: environment.id,
    userId: other.id,
    email: 'new@example.com',
    redirectUris: ['https://app.example.com/callback'],
    names: ['KEY'],
    variables: [{ name: 'KEY', value: 'value' }],
    'id of invitation': invitation.id,
    'id of oauth_app': client.id,
    'id of token': token.id,
    'id of environment': environment.id,
    'id of project': project.id,
  }
  await call(['workspace:admin'], 'set_variables', sample('set_variables'))
})

const box = makeToolBox(schema)
const ajv = addFormats(new Ajv2020({ strict: false }))

async function call(scopes: string[], name: string, input: object) {
  const { token } = await makeAccessToken(user, scopes, { workspaces: [workspace] })
  const response = await server.fetch('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  const text = await response.text()
  const message = JSON.parse(text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] as string))
  return { status: response.status, challenge: response.headers.get('www-authenticate') ?? '', message }
}

/** Returns an input with existing objects, so that only the scope is missing. */
const sample = (name: string): Record<string, unknown> => {
  const { required = [], properties = {} } = box.find(name)?.listed.inputSchema ?? {}
  return Object.fromEntries(
    required.map((key) => {
      const { enum: choices } = properties[key] as { enum?: string[] }
      const noun = name.replace(/^[a-z]+_/, '')
      return [key, world[key === 'id' ? `id of ${noun}` : key] ?? choices?.[0] ?? 'Something']
    }),
  )
}

const withScope = allTools.flatMap(({ name }) => {
  const scope = box.find(name)?.scope
  return scope ? [[name, scope] as const] : []
})

describe.each(withScope)('the tool %s, which requires %s,', (name, scope) => {
  it('returns 403 with the missing scope if the token has only lower and unrelated scopes', async () => {
    const [kind, level] = scope.split(':')
    const above = ['viewer', 'member', 'admin']
    const enough = level
      ? above.slice(above.indexOf(level)).flatMap((each) => [`${kind}:${each}`, `workspace:${each}`])
      : [scope]
    const others = Object.keys(scopeTable).filter(
      (each) => !enough.includes(each) && !each.endsWith(':admin'),
    )
    const { status, challenge } = await call(others, name, sample(name))
    expect([status, /This action requires the scope ([^"]+)\."/.exec(challenge)?.[1]]).toEqual([403, scope])
  })

  it('does not report that scope as missing if the token has it', async () => {
    const { challenge, message } = await call([scope], name, sample(name))
    expect(challenge + JSON.stringify(message)).not.toContain(`the scope ${scope}`)
  })
})

it('the results of tools that read and create records match their output schemas', async () => {
  const project = await makeProject(workspace)
  const { client } = await makeClient(workspace)
  const scopes = ['openid', 'workspace:admin', 'notifications']
  const at = { workspaceId: workspace.id, projectId: project.id, id: project.id }
  const forms: [string, object][] = [
    ['who_am_i', {}],
    ['list_workspaces', {}],
    ['get_workspace', { workspaceId: at.workspaceId }],
    ['list_members', { workspaceId: at.workspaceId }],
    ['list_invitations', { workspaceId: at.workspaceId }],
    ['invite_member', { workspaceId: at.workspaceId, email: 'new@example.com', role: 'VIEWER' }],
    ['search', { text: 'o' }],
    ['list_projects', {}],
    ['get_project', { id: at.id }],
    ['update_project', { id: at.id, name: 'Renamed' }],
    ['create_project', { workspaceId: at.workspaceId, name: 'Made' }],
    ['list_environments', { projectId: at.projectId }],
    ['create_environment', { projectId: at.projectId, name: 'Staging' }],
    ['list_oauth_apps', { workspaceId: at.workspaceId }],
    ['get_oauth_app', { id: client.id }],
    ['list_tokens', { workspaceId: at.workspaceId }],
    ['read_audit_log', { workspaceId: at.workspaceId }],
    ['list_notifications', {}],
    ['describe_schema', { search: 'project' }],
    ['describe_schema', { search: 'ProjectCreateInput' }],
  ]
  for (const [name, input] of forms) {
    const { message } = await call(scopes, name, input)
    const { result } = message
    expect(result?.isError, `${name}: ${JSON.stringify(message)}`).toBeUndefined()
    const validate = ajv.compile(box.find(name)?.listed.outputSchema as object)
    expect(validate(result.structuredContent), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true)
  }
})

it('every input of every tool has a description', () => {
  const silent = allTools.flatMap(({ name }) =>
    Object.entries(box.find(name)?.listed.inputSchema.properties ?? {}).flatMap(([key, property]) =>
      (property as { description?: string }).description ? [] : [`${name}.${key}`],
    ),
  )
  expect(silent).toEqual([])
})

const withRequired = allTools.flatMap(({ name }) =>
  (box.find(name)?.listed.inputSchema.required ?? []).map((argument) => [name, argument] as const),
)

it.each(withRequired)('the tool %s reports that its argument %s is required', async (name, argument) => {
  for (const value of [undefined, null]) {
    const { message } = await call(['openid'], name, { ...sample(name), [argument]: value })
    expect(message.result).toEqual({
      isError: true,
      content: [{ type: 'text', text: `BAD_USER_INPUT: ${argument} is required.` }],
    })
  }
})

it('an error about an invalid or missing value names the argument, not a GraphQL variable', async () => {
  const unfit: [string, object, string][] = [
    ['list_projects', { first: 'ten' }, 'first is invalid: Int cannot represent non-integer value: "ten"'],
    ['get_project', { id: { a: 1 } }, 'id is invalid: ID cannot represent'],
    ['create_project', { workspaceId: workspace.id, name: 1 }, 'name is invalid: String cannot represent'],
    [
      'set_variables',
      { environmentId: world.environmentId, variables: [{ name: 'KEY', value: 1 }] },
      'variables[0].value is invalid: String cannot represent',
    ],
    ['describe_schema', {}, 'search is required.'],
    ['run_query', {}, 'query is required.'],
  ]
  for (const [name, input, sentence] of unfit) {
    const { message } = await call(['openid', 'workspace:admin'], name, input)
    const { text } = message.result.content[0]
    expect(text, name).toContain(`BAD_USER_INPUT: ${sentence}`)
    expect(text, name).not.toMatch(/Variable|\$/)
  }
})
