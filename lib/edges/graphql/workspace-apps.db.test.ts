import { beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** The apps in a workspace, as admins read and manage them in the console. */
const api = serveGraphQL()

let w: string
let project: { id: string }
let clientId: string
let admin: { id: string; name: string }
let member: { id: string; name: string }
let token: string

beforeAll(async () => {
  admin = await makeUser({ name: 'Ada' })
  member = await makeUser({ name: 'Grace' })
  const workspace = await makeWorkspace([
    [admin, 'ADMIN'],
    [member, 'MEMBER'],
  ])
  w = workspace.id
  project = await makeProject(workspace)
  token = (await makeApiToken(admin, { workspace })).token
  const scopes = ['openid', 'workspace:member', 'project:admin']
  const given = { workspaces: [workspace], projects: [project] }
  clientId = (await makeAccessToken(member, scopes, given)).client.id
})

const ask = async (query: string, variables: object = {}) => {
  const { data, errors } = await api.execute(token, query, { w, clientId, ...variables })
  expect(errors).toBeUndefined()
  return data
}

const decided =
  'clientId state approvedScopes approvedProjectIds approvedProjects { id } note decidedAt decidedBy'

describe('apps in a workspace', () => {
  it('can be read individually, even before any user authorizes them', async () => {
    const { client } = await makeClient(await makeWorkspace(), { name: 'Unused app' })
    const query = `query ($w: ID!, $clientId: ID!) { workspaceApp(workspaceId: $w, clientId: $clientId) {
      name userCount wholeWorkspace disabled installScopes installation { id } managed { id } ${decided} } }`
    const nothing = { installation: null, managed: null, disabled: false, installScopes: [] }
    expect((await ask(query)).workspaceApp).toMatchObject({ ...nothing, userCount: 1, wholeWorkspace: true })
    expect((await ask(query, { clientId: client.id })).workspaceApp).toMatchObject({
      ...nothing,
      name: 'Unused app',
      userCount: 0,
      decidedAt: null,
      decidedBy: null,
    })
    const { errors } = await api.execute(token, query, { w, clientId: 'unknown' })
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
  })

  it('can be read with the users who authorized them, and those users’ scopes and selections', async () => {
    const { workspaceAppUsers } = await ask(
      `query ($w: ID!, $clientId: ID!) { workspaceAppUsers(workspaceId: $w, clientId: $clientId) {
        totalCount nodes { userId name scopes wholeWorkspace projectIds projects { id } createdAt } } }`,
    )
    expect(workspaceAppUsers).toMatchObject({
      totalCount: 1,
      nodes: [
        {
          userId: member.id,
          name: 'Grace',
          wholeWorkspace: true,
          projectIds: [project.id],
          projects: [{ id: project.id }],
        },
      ],
    })
    expect(workspaceAppUsers.nodes[0].scopes).toEqual(expect.arrayContaining(['workspace:member']))
  })

  it('are listed with the access that they would lose under a different policy, before and after an approval', async () => {
    const preview = `query ($w: ID!, $policy: AppPolicy!) {
      workspaceAppPolicyPreview(workspaceId: $w, policy: $policy) { totalCount nodes { clientId userCount everything installation } } }`
    const losses = async (policy: string) => (await ask(preview, { policy })).workspaceAppPolicyPreview
    expect(await losses('OPEN')).toEqual({ totalCount: 0, nodes: [] })
    expect(await losses('APPROVED')).toEqual({
      totalCount: 1,
      nodes: [{ clientId, userCount: 1, everything: true, installation: false }],
    })
    const { workspaceAppApprove } = await ask(
      `mutation ($w: ID!, $clientId: ID!, $p: ID!) { workspaceAppApprove(input: { workspaceId: $w, clientId: $clientId,
        scopes: ["project:viewer"], projectIds: [$p], note: "Reads" }) { ${decided} } }`,
      { p: project.id },
    )
    expect(workspaceAppApprove).toMatchObject({
      approvedProjectIds: [project.id],
      approvedProjects: [{ id: project.id }],
      note: 'Reads',
      decidedBy: 'Ada',
    })
    expect(await losses('APPROVED')).toMatchObject({ totalCount: 1, nodes: [{ everything: false }] })
  })

  it('are returned without deleted projects and without an error', async () => {
    const gone = await makeProject({ id: w })
    const { client } = await makeClient({ id: w })
    const installScopes = ['project:viewer']
    await prisma().oAuthClient.update({ where: { id: client.id }, data: { installScopes } })
    const input = { id: client.id, projects: [project.id, gone.id] }
    for (const decision of ['Approve', 'Install']) {
      await ask(
        `mutation ($w: ID!, $id: ID!, $projects: [ID!]) { workspaceApp${decision}(input: { workspaceId: $w,
          clientId: $id, scopes: ["project:viewer"], projectIds: $projects }) { clientId } }`,
        input,
      )
    }
    await prisma().project.delete({ where: { id: gone.id } })
    const query = `query ($w: ID!, $id: ID!) { workspaceApp(workspaceId: $w, clientId: $id) {
      approvedProjects { id } installation { projects { id } } } }`
    expect((await ask(query, input)).workspaceApp).toEqual({
      approvedProjects: [{ id: project.id }],
      installation: { projects: [{ id: project.id }] },
    })
  })

  it('can be SSO-managed with the scopes that an admin sets', async () => {
    const { client } = await makeClient(await makeWorkspace(), { name: 'Sent' })
    const { made } = await ask(
      `mutation ($w: ID!, $id: ID!) { made: workspaceManagedAppUpsert(input: { workspaceId: $w, clientId: $id,
        scopes: ["workspace:viewer"] }) { id clientId name scopes createdAt lastUsedAt } }`,
      { id: client.id },
    )
    const { id, createdAt } = await prisma().managedApp.findFirstOrThrow({ where: { clientId: client.id } })
    const managed = {
      id,
      clientId: client.id,
      name: 'Sent',
      scopes: ['workspace:viewer'],
      createdAt: createdAt.toISOString(),
      lastUsedAt: null,
    }
    expect(made).toEqual(managed)
    const { workspaceApps } = await ask(
      `query ($w: ID!) { workspaceApps(workspaceId: $w, search: "Sent") {
        nodes { userCount managed { id clientId name scopes createdAt lastUsedAt } } } }`,
    )
    expect(workspaceApps.nodes).toEqual([{ userCount: 0, managed }])
    const { lost } = await ask(
      `query ($w: ID!) { lost: workspaceAppPolicyPreview(workspaceId: $w, policy: OWN) {
        nodes { clientId userCount everything installation managed } } }`,
    )
    expect(lost.nodes).toContainEqual({
      clientId: client.id,
      userCount: 0,
      everything: true,
      installation: false,
      managed: true,
    })
  })
})

describe('the identity provider of a workspace', () => {
  const set = `mutation ($w: ID!) { workspaceIdentityProviderUpsert(input: { workspaceId: $w,
    issuer: "https://login.example.test", clientId: "latchkey", domain: "example.test" }) { workspace { id } } }`
  const remove = 'mutation ($w: ID!) { workspaceIdentityProviderDelete(workspaceId: $w) }'
  const read = 'query ($w: ID!) { workspaceIdentityProvider(workspaceId: $w) { domain verifiedAt } }'

  it('can be set and removed with an admin’s account token, but can only be read with a workspace token', async () => {
    const own = (await makeApiToken(admin)).token
    const { data } = await api.execute(own, set, { w })
    expect(data).toEqual({ workspaceIdentityProviderUpsert: { workspace: { id: w } } })
    for (const query of [set, remove]) {
      const { errors } = await api.execute(token, query, { w })
      expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    }
    expect(await ask(read)).toEqual({
      workspaceIdentityProvider: { domain: 'example.test', verifiedAt: null },
    })
    expect((await api.execute(own, remove, { w })).data).toEqual({ workspaceIdentityProviderDelete: true })
  })
})
