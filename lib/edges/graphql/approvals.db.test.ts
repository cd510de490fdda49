import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { setRequiredApprovals } from '@/lib/features/app-access/policy'
import { decideApproval } from '@/lib/features/approvals/decide-approval'
import { readApproval } from '@/lib/features/approvals/read-approval'
import { endAuthorizations } from '@/lib/features/apps/authorizations/revoke-authorization'
import type { SessionActor } from '@/lib/policy/actor'
import { workspaceActions } from '@/lib/policy/approvals'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { type GraphQLReply, serveGraphQL } from '@/lib/testing/graphql-server'

/** Attempts to use an approval for another operation or other arguments, later, or as another user. */
const api = serveGraphQL()

type Row = { id: string }
let user: Awaited<ReturnType<typeof makeUser>>
let workspace: Awaited<ReturnType<typeof makeWorkspace>>
let project: Awaited<ReturnType<typeof makeProject>>
let environment: Row
let session: SessionActor
let app: Awaited<ReturnType<typeof makeAccessToken>>

beforeEach(async () => {
  user = await makeUser()
  workspace = await makeWorkspace([[user, 'ADMIN']])
  project = await makeProject(workspace)
  environment = await prisma().environment.create({ data: { projectId: project.id, name: 'Production' } })
  session = await signIn(user)
  await setRequiredApprovals(session, workspace.id, { requiresApprovalFor: workspaceActions })
  app = await makeApp()
})

const makeApp = () => makeAccessToken(user, ['workspace:admin'], { workspaces: [workspace] })

async function signIn({ id: userId }: Row): Promise<SessionActor> {
  const expiresAt = new Date(Date.now() + 3_600_000)
  const { id } = await prisma().session.create({ data: { userId, methods: ['pwd'], expiresAt } })
  return { kind: 'session', userId, sessionId: id, instanceAdmin: false }
}

const run = (query: string, variables: object = {}, token = app.token) => api.execute(token, query, variables)
const codeOf = ({ errors }: GraphQLReply) => String(errors?.[0]?.extensions.code ?? 'done')
const requestOf = ({ errors }: GraphQLReply) =>
  String(errors?.[0]?.extensions.approvalUrl ?? '')
    .split('/')
    .at(-1) as string

/** Sends an operation that requires approval, and approves the request. @returns the request's ID */
async function approve(query: string, variables: object = {}): Promise<string> {
  const reply = await run(query, variables)
  expect(codeOf(reply)).toBe('APPROVAL_REQUIRED')
  await decideApproval(session, requestOf(reply), { decision: 'once' })
  return requestOf(reply)
}

const argumentsOf = async (id: string) => {
  const { arguments: shown } = await readApproval(session, id)
  return Object.fromEntries(
    shown.map(({ label, value, detail }) => [label, detail ? `${value} ${detail}` : value]),
  )
}

const invite = `mutation ($w: ID!, $email: String!, $role: Role!) {
  workspaceInvitationCreate(input: { workspaceId: $w, email: $email, role: $role }) { link workspaceInvitation { id } }
}`
const setVariable = `mutation ($e: ID!, $name: String!, $value: String!) {
  variableUpsert(input: { environmentId: $e, name: $name, value: $value }) { id }
}`
const createWebhook = `mutation ($w: ID!, $url: String!, $events: [String!]!) {
  webhookCreate(input: { workspaceId: $w, url: $url, events: $events }) { webhook { id } }
}`
const deleteProject = 'mutation ($id: ID!) { projectDelete(id: $id) }'

describe('an invitation by an app', () => {
  it('requires an approval for exactly its email address and role, which the approval page shows, and returns no link', async () => {
    const to = { w: workspace.id, email: 'mallory@example.com', role: 'ADMIN' }
    const refused = await run(invite, to)
    expect(codeOf(refused)).toBe('APPROVAL_REQUIRED')
    expect(await prisma().invitation.count({ where: { workspaceId: workspace.id } })).toBe(0)
    expect(await argumentsOf(requestOf(refused))).toMatchObject({
      'Email address': 'mallory@example.com',
      Role: 'ADMIN',
    })
    await decideApproval(session, requestOf(refused), { decision: 'once' })
    for (const other of [
      { ...to, email: 'eve@example.com' },
      { ...to, role: 'VIEWER' },
    ]) {
      expect(codeOf(await run(invite, other))).toBe('APPROVAL_REQUIRED')
    }
    const { data } = await run(invite, to)
    expect(data.workspaceInvitationCreate).toMatchObject({
      link: null,
      workspaceInvitation: { id: expect.any(String) },
    })
  })

  it('requires approval even if it is only for a project', async () => {
    const query = `mutation { workspaceInvitationCreate(input: { projectId: "${project.id}", email: "m@example.com", role: ADMIN }) { link } }`
    expect(codeOf(await run(query))).toBe('APPROVAL_REQUIRED')
  })

  it('returns no link even if no approval is required, unlike an invitation through the user’s API token', async () => {
    await setRequiredApprovals(session, workspace.id, { requiresApprovalFor: [] })
    const to = { w: workspace.id, email: 'x@example.com', role: 'VIEWER' }
    expect((await run(invite, to)).data.workspaceInvitationCreate.link).toBeNull()
    const { token } = await makeApiToken(user)
    expect((await run(invite, to, token)).data.workspaceInvitationCreate.link).toContain('/invitations/')
  })
})

describe('an approval of specific arguments', () => {
  it('limits a project transfer to the approved workspace, which the approval page shows', async () => {
    const [a, b] = [await makeWorkspace([[user, 'ADMIN']]), await makeWorkspace([[user, 'ADMIN']])]
    await prisma().authorization.update({
      where: { id: app.authorization.id },
      data: { workspaceIds: [workspace.id, a.id, b.id] },
    })
    const transfer = `mutation ($p: ID!, $w: ID!) { projectTransfer(input: { projectId: $p, workspaceId: $w }) { id } }`
    const id = await approve(transfer, { p: project.id, w: a.id })
    expect(await argumentsOf(id)).toMatchObject({ Workspace: `${a.name} ${a.id}` })
    expect(codeOf(await run(transfer, { p: project.id, w: b.id }))).toBe('APPROVAL_REQUIRED')
    expect(codeOf(await run(transfer, { p: project.id, w: a.id }))).toBe('done')
  })

  it('limits a variable to the approved name and value, and stores only the name', async () => {
    const set = { e: environment.id, name: 'API_KEY', value: 'first-secret' }
    const id = await approve(setVariable, set)
    expect(codeOf(await run(setVariable, { ...set, value: 'second-secret' }))).toBe('APPROVAL_REQUIRED')
    expect(codeOf(await run(setVariable, { ...set, name: 'OTHER' }))).toBe('APPROVAL_REQUIRED')
    const stored = JSON.stringify(await prisma().approvalRequest.findMany({ where: { userId: user.id } }))
    expect(stored).toContain('API_KEY')
    expect(stored).not.toMatch(/first-secret|second-secret/)
    expect(await argumentsOf(id)).toMatchObject({
      Name: 'API_KEY',
      Value: expect.stringContaining('Not shown'),
    })
    expect(codeOf(await run(setVariable, set))).toBe('done')
  })

  it('limits several variables to the approved names and values, whether they are sent as a list or as a map', async () => {
    const list = `mutation ($e: ID!, $v: [VariableValueInput!]!) { variablesUpsert(input: { environmentId: $e, variables: $v }) { variables { id } } }`
    const map = `mutation ($e: ID!, $v: EnvironmentVariables!) { variableCollectionUpsert(input: { environmentId: $e, variables: $v }) }`
    for (const [query, ours, theirs] of [
      [
        list,
        [{ name: 'A', value: '1' }],
        [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
      ],
      [map, { A: '1' }, { A: '2' }],
    ] as const) {
      const id = await approve(query, { e: environment.id, v: ours })
      expect(await argumentsOf(id)).toMatchObject({ Variables: 'A' })
      expect(codeOf(await run(query, { e: environment.id, v: theirs }))).toBe('APPROVAL_REQUIRED')
      expect(codeOf(await run(query, { e: environment.id, v: ours }))).toBe('done')
    }
  })

  it('limits a webhook to the approved URL and events, and the approval page omits the URL’s query string', async () => {
    const ours = { w: workspace.id, url: 'https://a.example.com/in?token=s3cret', events: ['project.*'] }
    const id = await approve(createWebhook, ours)
    expect(await argumentsOf(id)).toMatchObject({ URL: 'https://a.example.com/in?…', Events: 'project.*' })
    for (const other of [
      { ...ours, url: 'https://b.example.com/in?token=s3cret' },
      { ...ours, url: 'https://a.example.com/in?token=other' },
      { ...ours, events: ['project.*', 'member.*'] },
    ]) {
      expect(codeOf(await run(createWebhook, other))).toBe('APPROVAL_REQUIRED')
    }
    expect(codeOf(await run(createWebhook, ours))).toBe('done')
  })

  it('limits an app transfer to the workspace ID, not to a slug that can be reassigned', async () => {
    const { client } = await makeClient(workspace)
    const [meant, other] = [await makeWorkspace([[user, 'ADMIN']]), await makeWorkspace([])]
    const query = `mutation ($id: ID!, $to: String!) { oauthAppTransferRequest(id: $id, input: { workspace: $to }) { id } }`
    const id = await approve(query, { id: client.id, to: meant.slug })
    expect(await argumentsOf(id)).toMatchObject({ 'To workspace': `${meant.name} ${meant.id}` })
    const { slug } = meant
    await prisma().workspace.update({ where: { id: meant.id }, data: { slug: `${slug}-2` } })
    await prisma().workspace.update({ where: { id: other.id }, data: { slug } })
    expect(codeOf(await run(query, { id: client.id, to: slug }))).toBe('APPROVAL_REQUIRED')
  })

  it('ignores differences in how the operation is written', async () => {
    await approve(createWebhook, { w: workspace.id, url: 'https://c.example.com/', events: ['project.*'] })
    const spelled = `mutation M($all: [String!]! = ["project.*"]) {
      made: webhookCreate(input: { events: $all, url: "https://c.example.com/", workspaceId: "${workspace.id}" }) { secret }
    }`
    expect(codeOf(await run(spelled))).toBe('done')
  })

  it('distinguishes null from an omitted argument', async () => {
    const query = (more: string) =>
      `mutation { webhookCreate(input: { workspaceId: "${workspace.id}", url: "https://d.example.com/", events: ["project.*"] ${more} }) { secret } }`
    await approve(query(''))
    expect(codeOf(await run(query(', clientId: null')))).toBe('APPROVAL_REQUIRED')
  })

  it('does not apply after the project moves to another workspace', async () => {
    await approve(deleteProject, { id: project.id })
    const elsewhere = await makeWorkspace([[user, 'ADMIN']])
    await setRequiredApprovals(session, elsewhere.id, { requiresApprovalFor: workspaceActions })
    await prisma().authorization.update({
      where: { id: app.authorization.id },
      data: { workspaceIds: [workspace.id, elsewhere.id] },
    })
    await prisma().project.update({ where: { id: project.id }, data: { workspaceId: elsewhere.id } })
    expect(codeOf(await run(deleteProject, { id: project.id }))).toBe('APPROVAL_REQUIRED')
  })

  it('is required to change an app’s keys or enable high security, but not to rename the app, if only changes to secrets require approval', async () => {
    await setRequiredApprovals(session, workspace.id, { requiresApprovalFor: ['workspace:manage-secrets'] })
    const { client } = await makeClient(workspace)
    const update = (input: string) =>
      run(`mutation { oauthAppUpdate(id: "${client.id}", input: { ${input} }) { id } }`)
    const keys =
      'advanced: { clientAuthentication: PRIVATE_KEY, publicKeys: "https://evil.example.com/jwks" }'
    expect(codeOf(await update(keys))).toBe('APPROVAL_REQUIRED')
    await prisma().oAuthClient.update({
      where: { id: client.id },
      data: { metadata: { jwks_uri: 'https://app.example.com/jwks' } },
    })
    expect(codeOf(await update('advanced: { highSecurity: true }'))).toBe('APPROVAL_REQUIRED')
    expect(codeOf(await update('name: "Renamed"'))).toBe('done')
  })
})

describe('an approval for one use', () => {
  it('covers only one of two identical mutations in a document', async () => {
    const made = { w: workspace.id, url: 'https://twice.example.com/', events: ['project.*'] }
    await approve(createWebhook, made)
    const field = `webhookCreate(input: { workspaceId: $w, url: $url, events: $events }) { secret }`
    const { data, errors } = await run(
      `mutation ($w: ID!, $url: String!, $events: [String!]!) { a: ${field} b: ${field} }`,
      made,
    )
    expect([data.a !== null, data.b]).toEqual([true, null])
    expect(errors?.[0]?.extensions.code).toBe('APPROVAL_REQUIRED')
    expect(await prisma().webhook.count({ where: { workspaceId: workspace.id } })).toBe(1)
  })

  it('covers only one of ten parallel requests', async () => {
    const made = { w: workspace.id, url: 'https://race.example.com/', events: ['project.*'] }
    await approve(createWebhook, made)
    const replies = await Promise.all(Array.from({ length: 10 }, () => run(createWebhook, made)))
    expect(replies.map(codeOf).filter((code) => code === 'done')).toHaveLength(1)
    expect(await prisma().webhook.count({ where: { workspaceId: workspace.id } })).toBe(1)
  })

  it('works with the Idempotency-Key of the rejected request, and a repeated request then gets the successful response', async () => {
    const variables = { w: workspace.id, url: 'https://key.example.com/', events: ['project.*'] }
    const keyed = () =>
      api.send({
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${app.token}`,
          'idempotency-key': '"one"',
        },
        body: JSON.stringify({ query: createWebhook, variables }),
      })
    const refused = await keyed()
    expect(codeOf(refused)).toBe('APPROVAL_REQUIRED')
    await decideApproval(session, requestOf(refused), { decision: 'once' })
    const [first, second] = [await keyed(), await keyed()]
    expect(second.data).toEqual(first.data)
    expect(await prisma().webhook.count({ where: { workspaceId: workspace.id } })).toBe(1)
  })

  it('is the only possible approval for an operation that makes changes', async () => {
    const id = requestOf(await run(deleteProject, { id: project.id }))
    await expect(decideApproval(session, id, { decision: 'hour' })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
  })

  it('is granted only once even if the user sends several decisions in parallel', async () => {
    const id = requestOf(await run(deleteProject, { id: project.id }))
    const outcomes = await Promise.allSettled(
      (['once', 'once', 'once'] as const).map((decision) => decideApproval(session, id, { decision })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('a granted approval', () => {
  it('ends when it is revoked before use', async () => {
    const id = await approve(deleteProject, { id: project.id })
    await decideApproval(session, id, { decision: 'deny' })
    expect(codeOf(await run(deleteProject, { id: project.id }))).toBe('FORBIDDEN')
    await expect(decideApproval(session, id, { decision: 'once' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('ends with the session in which the user granted it', async () => {
    const id = await approve(deleteProject, { id: project.id })
    await prisma().session.update({ where: { id: session.sessionId }, data: { revokedAt: new Date() } })
    expect((await readApproval(session, id)).state).toBe('over')
    const again = await run(deleteProject, { id: project.id })
    expect(codeOf(again)).toBe('APPROVAL_REQUIRED')
    expect(requestOf(again)).not.toBe(id)
  })

  it('ends with the app’s authorization: a new authorization requires a new approval, and open requests can no longer be approved', async () => {
    const open = requestOf(await run(invite, { w: workspace.id, email: 'a@example.com', role: 'VIEWER' }))
    await approve(deleteProject, { id: project.id })
    await prisma().$transaction((tx) => endAuthorizations(tx, { id: app.authorization.id }))
    await expect(decideApproval(session, open, { decision: 'once' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(codeOf(await run(deleteProject, { id: project.id }))).toBe('UNAUTHENTICATED')
    await prisma().authorization.create({
      data: {
        id: randomUUID(),
        userId: user.id,
        clientId: app.client.id,
        scopes: ['workspace:admin'],
        workspaceIds: [workspace.id],
      },
    })
    const renewed = await tokenOf(app.client.id)
    expect(codeOf(await run(deleteProject, { id: project.id }, renewed))).toBe('APPROVAL_REQUIRED')
  })

  it('ends when the app moves to another workspace', async () => {
    await approve(deleteProject, { id: project.id })
    const { id: workspaceId } = await makeWorkspace([])
    await prisma().oAuthClient.update({ where: { id: app.client.id }, data: { workspaceId } })
    expect(codeOf(await run(deleteProject, { id: project.id }))).toBe('APPROVAL_REQUIRED')
  })

  it('has no effect after the user loses the role or the membership, or is suspended', async () => {
    await approve(deleteProject, { id: project.id })
    const where = { workspaceId_userId: { workspaceId: workspace.id, userId: user.id } }
    await prisma().workspaceMember.update({ where, data: { role: 'MEMBER' } })
    expect(codeOf(await run(deleteProject, { id: project.id }))).toBe('FORBIDDEN')
    await prisma().workspaceMember.delete({ where })
    expect(codeOf(await run(deleteProject, { id: project.id }))).toBe('NOT_FOUND')
    await prisma().user.update({ where: { id: user.id }, data: { suspendedAt: new Date() } })
    expect(codeOf(await run(deleteProject, { id: project.id }))).toBe('UNAUTHENTICATED')
    expect(await prisma().project.count({ where: { id: project.id } })).toBe(1)
  })

  it('does not apply to another user of the same app, and the approver cannot approve that user’s request', async () => {
    const other = await makeUser()
    await prisma().workspaceMember.create({
      data: { workspaceId: workspace.id, userId: other.id, role: 'ADMIN' },
    })
    await prisma().authorization.create({
      data: {
        userId: other.id,
        clientId: app.client.id,
        scopes: ['workspace:admin'],
        workspaceIds: [workspace.id],
      },
    })
    const id = await approve(deleteProject, { id: project.id })
    const theirs = await run(deleteProject, { id: project.id }, await tokenOf(app.client.id, other.id))
    expect(codeOf(theirs)).toBe('APPROVAL_REQUIRED')
    expect(requestOf(theirs)).not.toBe(id)
    await expect(decideApproval(session, requestOf(theirs), { decision: 'once' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

/** Creates an access token under the authorization that a user granted to an app. */
async function tokenOf(clientId: string, userId = user.id): Promise<string> {
  const authorization = await prisma().authorization.findFirstOrThrow({ where: { clientId, userId } })
  const made = await makeAccessToken({ id: userId }, ['workspace:admin'])
  await prisma().oAuthArtifact.update({
    where: { hash: made.artifact.hash },
    data: { authorizationId: authorization.id },
  })
  return made.token
}

describe('the denial of a change to a variable', () => {
  it('applies to other values and to the variable’s deletion, and the error states when the denial ends', async () => {
    const set = { e: environment.id, name: 'A', value: '1' }
    await decideApproval(session, requestOf(await run(setVariable, set)), { decision: 'deny' })
    for (const other of [set, { ...set, value: '2' }, { ...set, e: environment.id.toUpperCase() }]) {
      const { errors } = await run(setVariable, other)
      expect(errors?.[0]?.message).toContain(`Set a variable (environment ${environment.id})`)
      expect(errors?.[0]?.message).toMatch(/after \d{4}-\d\d-\d\dT[\d:.]+Z/)
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'denied' })
      expect(errors?.[0]?.extensions.retryAfter).toBeGreaterThan(0)
    }
    const remove = `mutation { variableDelete(input: { environmentId: "${environment.id}", name: "A" }) }`
    expect((await run(remove)).errors?.[0]?.extensions.reason).toBe('denied')
  })
})
