import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makePerson, makeProject, makeWorkspace } from '@/lib/testing/factories'
import { fresh, name, newKey, type World } from '@/lib/testing/fresh-rows'
import { serveGraphQL } from '@/lib/testing/graphql-server'
import { schema } from './schema'

/**
 * Every query and mutation x every kind of caller. The table's letters, one for each caller in this order:
 * `.` it works, `F` FORBIDDEN, `N` NOT_FOUND, `S` INSUFFICIENT_SCOPE, `R` RESOURCE_NOT_SHARED.
 */
const api = serveGraphQL()

const callers = [
  'stranger',
  'guest, VIEWER of the project alone',
  'VIEWER',
  'MEMBER',
  'ADMIN',
  'ADMIN through a workspace token',
  'ADMIN through a project token',
  'ADMIN through an app with workspace:viewer',
  'ADMIN through an app with workspace:member',
  'ADMIN through an app with workspace:admin',
  'ADMIN through an app with project:admin',
  'ADMIN through an app with openid, ssh_keys and notifications',
  'ADMIN through an account token limited to MEMBER',
  'ADMIN through an account token limited to VIEWER',
] as const

type Variables = Record<string, unknown>
type Operation = { query: string; expected: string; target?: (world: World) => Promise<Variables> }

const connection = '{ totalCount nodes { __typename } pageInfo { hasNextPage } }'

const email = async () => ({ email: `${name()}@example.com` })
const named = async () => ({ name: name() })

// biome-ignore format: one operation a line
const operations: Record<string, Operation> = {
  apiTokens: { query: `{ apiTokens ${connection} }`, expected: '.....FFFFFFFFF' },
  auditLogs: { query: `query ($w: ID!) { auditLogs(workspaceId: $w) ${connection} }`, expected: 'NNFF..RSS.SSFF' },
  authorizedApps: { query: `{ authorizedApps ${connection} }`, expected: '.....FFFFFFFFF' },
  environment: { query: 'query ($env: ID!) { environment(id: $env) { id } }', expected: 'N..........S..' },
  environments: { query: `query ($p: ID!) { environments(projectId: $p) ${connection} }`, expected: 'N..........S..' },
  externalWorkspaces: { query: '{ externalWorkspaces { id } }', expected: '...........S..' },
  me: { query: '{ me { id } }', expected: '..............' },
  notificationRules: { query: 'query ($w: ID!) { notificationRules(workspaceId: $w) { type } }', expected: 'NN...FFSSSSS..' },
  notifications: { query: `{ notifications ${connection} }`, expected: '.....FFSSSS...' },
  notificationsUnread: { query: '{ notificationsUnread }', expected: '.....FFSSSS...' },
  oauthApp: { query: 'query ($id: ID!) { oauthApp(id: $id) { people } }', target: fresh.app, expected: 'NNFF..RSS.SSFF' },
  oauthApps: { query: `query ($w: ID!) { oauthApps(workspaceId: $w) ${connection} }`, expected: 'NNFF..RSS.SSFF' },
  project: { query: 'query ($p: ID!) { project(id: $p) { id } }', expected: 'N..........S..' },
  projectInvitations: { query: `query ($p: ID!) { projectInvitations(projectId: $p) ${connection} }`, expected: 'NFFF...SS..SFF' },
  projectMembers: { query: `query ($p: ID!) { projectMembers(projectId: $p) ${connection} }`, expected: 'N..........S..' },
  projectToken: { query: '{ projectToken { id } }', expected: 'FFFFFF.FFFFFFF' },
  projectTokens: { query: `query ($p: ID!) { projectTokens(projectId: $p) ${connection} }`, expected: 'NFFF...SS..SFF' },
  projects: { query: `query ($w: ID!) { projects(workspaceId: $w) ${connection} }`, expected: 'N..........S..' },
  sessions: { query: `{ sessions ${connection} }`, expected: '.....FFFFFFFFF' },
  sshPublicKeys: { query: `{ sshPublicKeys ${connection} }`, expected: '.....FFSSSS...' },
  variableChanges: { query: `query ($env: ID!) { variableChanges(environmentId: $env) ${connection} }`, expected: 'N..........S..' },
  variables: { query: `query ($env: ID!) { variables(environmentId: $env) ${connection} }`, expected: 'N..........S..' },
  webhook: { query: 'query ($id: ID!) { webhook(id: $id) { id } }', target: fresh.webhook, expected: 'NNFF..RSS.SSFF' },
  webhookDeliveries: { query: `query ($id: ID!) { webhookDeliveries(webhookId: $id) ${connection} }`, target: fresh.webhook, expected: 'NNFF..RSS.SSFF' },
  webhookEventTypes: { query: '{ webhookEventTypes { name } }', expected: '..............' },
  webhooks: { query: `query ($w: ID!) { webhooks(workspaceId: $w) ${connection} }`, expected: 'NNFF..RSS.SSFF' },
  workspace: { query: 'query ($w: ID!) { workspace(workspaceId: $w) { id } }', expected: 'NN....R...SS..' },
  workspaceInvitations: { query: `query ($w: ID!) { workspaceInvitations(workspaceId: $w) ${connection} }`, expected: 'NNFF..RSS.SSFF' },
  workspaceMembers: { query: `query ($w: ID!) { workspaceMembers(workspaceId: $w) ${connection} }`, expected: 'NN....R...SS..' },
  workspaceTokens: { query: `query ($w: ID!) { workspaceTokens(workspaceId: $w) ${connection} }`, expected: 'NNFF..RSS.SSFF' },

  apiTokenCreate: { query: 'mutation { apiTokenCreate(input: { name: "t" }) }', expected: '.....FFFFFFFFF' },
  apiTokenIssue: { query: 'mutation { apiTokenIssue(input: { name: "t" }) { secret } }', expected: '.....FFFFFFFFF' },
  apiTokenDelete: { query: 'mutation ($id: ID!) { apiTokenDelete(id: $id) }', target: fresh.own.token, expected: '.....FFFFFFFFF' },
  authorizedAppRevoke: { query: 'mutation ($id: ID!) { authorizedAppRevoke(id: $id) }', target: fresh.own.authorization, expected: '.....FFFFFFFFF' },
  authorizedAppUpdate: { query: 'mutation ($id: ID!) { authorizedAppUpdate(id: $id, input: { workspaceIds: [], projectIds: [] }) { id } }', target: fresh.own.authorization, expected: '.....FFFFFFFFF' },
  environmentCreate: { query: 'mutation ($p: ID!, $name: String!) { environmentCreate(input: { projectId: $p, name: $name }) { id } }', target: named, expected: 'NFF....S...S.F' },
  environmentDelete: { query: 'mutation ($id: ID!) { environmentDelete(id: $id) }', target: fresh.environment, expected: 'NFFF...SS..SFF' },
  environmentRename: { query: 'mutation ($id: ID!) { environmentRename(id: $id, input: { name: "same" }) { id } }', target: async ({ p }) => { await prisma().environment.deleteMany({ where: { projectId: p, name: 'same' } }); return fresh.environment({ p } as World) }, expected: 'NFF....S...S.F' },
  notificationsMarkAllRead: { query: 'mutation { notificationsMarkAllRead }', expected: '.....FFSSSS..F' },
  notificationMarkRead: { query: 'mutation ($id: ID!) { notificationMarkRead(id: $id) { id } }', target: fresh.own.notification, expected: '.....FFSSSS..F' },
  notificationRuleUpdate: { query: 'mutation ($w: ID!) { notificationRuleUpdate(input: { workspaceId: $w, type: MEMBER_ADDED, inApp: true, email: false }) { type } }', expected: 'NN...FFSSSSS.F' },
  oauthAppCreate: { query: 'mutation ($w: ID!) { oauthAppCreate(input: { workspaceId: $w, name: "A", type: WEB, redirectUris: ["https://a.example/cb"] }) { secret } }', expected: 'NNFF..RSS.SSFF' },
  oauthAppDelete: { query: 'mutation ($id: ID!) { oauthAppDelete(id: $id) }', target: fresh.app, expected: 'NNFF..RSS.SSFF' },
  oauthAppSecretCreate: { query: 'mutation ($id: ID!) { oauthAppSecretCreate(id: $id) { secret } }', target: fresh.app, expected: 'NNFF..RSS.SSFF' },
  oauthAppSecretDelete: { query: 'mutation ($id: ID!, $secretId: ID!) { oauthAppSecretDelete(id: $id, secretId: $secretId) }', target: fresh.secret, expected: 'NNFF..RSS.SSFF' },
  oauthAppUpdate: { query: 'mutation ($id: ID!) { oauthAppUpdate(id: $id, input: { name: "B" }) { id } }', target: fresh.app, expected: 'NNFF..RSS.SSFF' },
  projectCreate: { query: 'mutation ($w: ID!) { projectCreate(input: { workspaceId: $w, name: "P" }) { id } }', expected: 'NNF...RS..SS.F' },
  projectDelete: { query: 'mutation ($id: ID!) { projectDelete(id: $id) }', target: fresh.project, expected: 'NNFF..RSS.RSFF' },
  projectMemberRemove: { query: 'mutation ($p: ID!, $u: ID!) { projectMemberRemove(projectId: $p, userId: $u) }', target: fresh.projectMember, expected: 'NFFF...SS..SFF' },
  projectMemberUpsert: { query: 'mutation ($p: ID!, $u: ID!) { projectMemberUpsert(input: { projectId: $p, userId: $u, role: MEMBER }) { id } }', target: fresh.projectMember, expected: 'NFFF...SS..SFF' },
  projectTokenCreate: { query: 'mutation ($p: ID!) { projectTokenCreate(input: { projectId: $p, name: "t" }) { secret } }', expected: 'NFFF.FFFFFFFFF' },
  projectTokenDelete: { query: 'mutation ($id: ID!) { projectTokenDelete(id: $id) }', target: fresh.projectToken, expected: 'NFFF...SS..SFF' },
  projectUpdate: { query: 'mutation ($p: ID!) { projectUpdate(id: $p, input: { name: "P" }) { id } }', expected: 'NFF....S...S.F' },
  sessionDelete: { query: 'mutation ($id: ID!) { sessionDelete(id: $id) }', target: fresh.own.session, expected: '.....FFFFFFFFF' },
  sshPublicKeyCreate: { query: 'mutation ($key: String!) { sshPublicKeyCreate(input: { publicKey: $key }) { id } }', target: async () => ({ key: newKey() }), expected: '.....FFSSSS.FF' },
  sshPublicKeyDelete: { query: 'mutation ($id: ID!) { sshPublicKeyDelete(id: $id) }', target: fresh.own.key, expected: '.....FFSSSS.FF' },
  userUpdate: { query: 'mutation { userUpdate(input: { name: "New" }) { id } }', expected: '.....FFFFFFFFF' },
  variableDelete: { query: 'mutation ($env: ID!, $name: String!) { variableDelete(input: { environmentId: $env, name: $name }) }', target: fresh.variable, expected: 'NFF....S...S.F' },
  variableUpsert: { query: 'mutation ($env: ID!) { variableUpsert(input: { environmentId: $env, name: "A", value: "1" }) { id } }', expected: 'NFF....S...S.F' },
  webhookCreate: { query: 'mutation ($w: ID!) { webhookCreate(input: { workspaceId: $w, url: "https://a.example/", events: ["token.*"] }) { secret } }', target: async ({ w }) => { await prisma().webhook.deleteMany({ where: { workspaceId: w } }); return {} }, expected: 'NNFF..RSS.SSFF' },
  webhookDelete: { query: 'mutation ($id: ID!) { webhookDelete(id: $id) }', target: fresh.webhook, expected: 'NNFF..RSS.SSFF' },
  webhookDeliveryResend: { query: 'mutation ($id: ID!) { webhookDeliveryResend(id: $id) { id } }', target: fresh.delivery, expected: 'NNFF..RSS.SSFF' },
  webhookSecretRotate: { query: 'mutation ($id: ID!) { webhookSecretRotate(id: $id) { secret } }', target: fresh.webhook, expected: 'NNFF..RSS.SSFF' },
  webhookTest: { query: 'mutation ($id: ID!) { webhookTest(id: $id) { id } }', target: fresh.webhook, expected: 'NNFF..RSS.SSFF' },
  webhookUpdate: { query: 'mutation ($id: ID!) { webhookUpdate(id: $id, input: { enabled: false }) { id } }', target: fresh.webhook, expected: 'NNFF..RSS.SSFF' },
  workspaceCreate: { query: 'mutation { workspaceCreate(input: { name: "W" }) { id } }', expected: '.....FFFFFFFFF' },
  workspaceDelete: { query: 'mutation ($id: ID!) { workspaceDelete(id: $id) }', target: fresh.workspace, expected: '.....RRSSRSSFF' },
  workspaceInvitationAccept: { query: 'mutation ($token: String!) { workspaceInvitationAccept(token: $token) { id } }', target: fresh.link, expected: '.....FFFFFFFFF' },
  workspaceInvitationCreate: { query: 'mutation ($w: ID!, $email: String!) { workspaceInvitationCreate(input: { workspaceId: $w, email: $email, role: VIEWER }) { link } }', target: email, expected: 'NNFF..RSS.SSFF' },
  workspaceInvitationRevoke: { query: 'mutation ($id: ID!) { workspaceInvitationRevoke(id: $id) }', target: fresh.invitation, expected: 'NNFF..RSS.SSFF' },
  workspaceLeave: { query: 'mutation ($id: ID!) { workspaceLeave(workspaceId: $id) }', target: fresh.workspace, expected: '.....FFFFFFFFF' },
  workspaceMemberRemove: { query: 'mutation ($w: ID!, $u: ID!) { workspaceMemberRemove(workspaceId: $w, userId: $u) }', target: fresh.workspaceMember, expected: 'NNFF..RSS.SSFF' },
  workspaceMemberUpdate: { query: 'mutation ($w: ID!, $u: ID!) { workspaceMemberUpdate(input: { workspaceId: $w, userId: $u, role: MEMBER }) { id } }', target: fresh.workspaceMember, expected: 'NNFF..RSS.SSFF' },
  workspaceTokenDelete: { query: 'mutation ($id: ID!) { workspaceTokenDelete(id: $id) }', target: fresh.workspaceToken, expected: 'NNFF..RSS.SSFF' },
  workspaceUpdate: { query: 'mutation ($w: ID!) { workspaceUpdate(id: $w, input: { name: "W" }) { id } }', expected: 'NNFF..RSS.SSFF' },
}

const letters: Record<string, string> = {
  FORBIDDEN: 'F',
  NOT_FOUND: 'N',
  INSUFFICIENT_SCOPE: 'S',
  RESOURCE_NOT_SHARED: 'R',
}

const aboutWorkspace = Object.entries(operations).filter(([, { expected }]) => expected[0] === 'N')

describe('every operation', () => {
  const fields = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() }
  let w: string
  let p: string
  let env: string
  let adminOf: { id: string }
  const cast: { token: string; person: { id: string } }[] = []

  beforeAll(async () => {
    const [stranger, guest, viewer, member, admin] = await Promise.all([
      makePerson(),
      makePerson(),
      makePerson(),
      makePerson(),
      makePerson(),
    ])
    const workspace = await makeWorkspace([
      [viewer, 'VIEWER'],
      [member, 'MEMBER'],
      [admin, 'ADMIN'],
      [await makePerson(), 'ADMIN'],
    ])
    const project = await makeProject(workspace, [[guest, 'VIEWER']])
    w = workspace.id
    p = project.id
    env = (await fresh.environment({ p } as World)).id
    adminOf = admin
    for (const person of [stranger, guest, viewer, member, admin]) {
      cast.push({ token: (await makeApiToken(person)).token, person })
    }
    cast.push({ token: (await makeApiToken(admin, { workspace })).token, person: admin })
    cast.push({ token: (await makeApiToken(admin, { project })).token, person: admin })
    for (const scope of [
      'workspace:viewer',
      'workspace:member',
      'workspace:admin',
      'project:admin',
      'ssh_keys notifications',
    ]) {
      const scopes = ['openid', ...scope.split(' ')]
      const { token } = await makeAccessToken(admin, scopes, { workspaces: [workspace], projects: [project] })
      cast.push({ token, person: admin })
    }
    for (const role of ['MEMBER', 'VIEWER'] as const) {
      cast.push({ token: (await makeApiToken(admin, { role })).token, person: admin })
    }
  })

  it('is in the table', () => {
    expect(Object.keys(operations).sort()).toEqual(Object.keys(fields).sort())
  })

  it.each(aboutWorkspace)('%s says which role it takes', (name, { expected }) => {
    const said = /Takes the role (\w+)/.exec(fields[name]?.description ?? '')?.[1] ?? 'VIEWER'
    const lowest = [2, 3, 4].findIndex((caller) => expected[caller] === '.')
    expect(said).toBe(['VIEWER', 'MEMBER', 'ADMIN'][lowest])
  })

  const attempt = async ({ query, target }: Operation, token: string, person: { id: string }) => {
    const given: Variables = { w, p, env, ...(await target?.({ w, p, env, person, admin: adminOf })) }
    const used = Object.fromEntries(
      Object.entries(given).filter(([each]) => new RegExp(`\\$${each}\\b`).test(query)),
    )
    const { errors } = await api.execute(token, query, used)
    const code = errors?.[0]?.extensions.code
    return code === undefined ? '.' : (letters[String(code)] ?? ` ${code} `)
  }

  it.each(Object.entries(operations))('%s', async (_name, operation) => {
    let outcomes = ''
    for (const { token, person } of cast) outcomes += await attempt(operation, token, person)
    expect(outcomes, callers.join('; ')).toBe(operation.expected)
  })

  describe('M3: where the workspace asks for two factors', () => {
    const scopes = ['openid', 'workspace:admin', 'project:admin']
    const ask = (requireTwoFactor: boolean) =>
      prisma().workspace.update({ where: { id: w }, data: { requireTwoFactor } })

    const made = async (twoFactor: boolean) =>
      Promise.all([
        makeApiToken(adminOf, { twoFactor }),
        makeApiToken(adminOf, { twoFactor, workspace: { id: w } }),
        makeApiToken(adminOf, { twoFactor, project: { id: p } }),
        makeAccessToken(adminOf, scopes, { workspaces: [{ id: w }], projects: [{ id: p }], twoFactor }),
      ])
    let weak: Awaited<ReturnType<typeof made>>
    let strong: typeof weak

    beforeAll(async () => {
      await ask(true)
      weak = await made(false)
      strong = await made(true)
    })
    afterAll(() => ask(false))

    it.each(aboutWorkspace)('%s takes them of every kind of token', async (_name, operation) => {
      for (const { token } of weak) expect(await attempt(operation, token, adminOf)).not.toBe('.')
      const asElsewhere = [4, 5, 6].map((caller) => operation.expected[caller])
      for (const [index, { token }] of strong.slice(0, 3).entries()) {
        expect(await attempt(operation, token, adminOf)).toBe(asElsewhere[index])
      }
    })

    it.each([
      '{ me { workspaces { id name } } }',
      '{ projects { edges { node { id name } } } }',
      '{ externalWorkspaces { name projects { name } } }',
    ])('%s leaves it out for a token without', async (query) => {
      const guest = await makePerson()
      await prisma().projectMember.create({ data: { projectId: p, userId: guest.id, role: 'VIEWER' } })
      for (const person of [adminOf, guest]) {
        const seen = async (twoFactor: boolean) =>
          JSON.stringify((await api.execute((await makeApiToken(person, { twoFactor })).token, query)).data)
        const [without, withTwo] = [await seen(false), await seen(true)]
        expect(without).not.toContain(w)
        expect(without).not.toContain(p)
        if (query.includes('projects {') && person === guest) expect(withTwo).not.toBe(without)
      }
    })
  })
})
