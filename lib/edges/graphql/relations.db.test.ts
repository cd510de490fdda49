import { beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { countStatements } from '@/lib/testing/count-statements'
import { type EveryKind, makeEveryKind } from '@/lib/testing/every-kind'
import { makeApiToken, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** The relations between types. */
const api = serveGraphQL()

let world: EveryKind
beforeAll(async () => {
  world = await makeEveryKind(api)
})

describe('relations', () => {
  const deep = `query ($w: ID!) { workspace(workspaceId: $w) {
    webhooks { totalCount nodes { id workspace { id } deliveries { totalCount nodes { event } } } }
    oauthApps { totalCount nodes { name } }
    tokens { totalCount nodes { id userId project { id } } }
    invitations { totalCount nodes { email workspace { id } project { id } } }
    auditLogs(first: 100) { nodes { action user { id name } } }
    projects(first: 2) { nodes { tokens(first: 5) { totalCount nodes { name } } environments(first: 2) { nodes { project { id } variables(first: 5) { totalCount nodes { name value } } } } } }
  } }`

  it('return the contents of a workspace in one request', async () => {
    await makeApiToken(await makeUser(), { workspace: world.workspace })
    const { workspace: found } = await world.ask(deep, { w: world.workspace.id })
    expect(found.webhooks).toEqual({
      totalCount: 1,
      nodes: [
        {
          id: world.ids.Webhook,
          workspace: { id: world.workspace.id },
          deliveries: { totalCount: 1, nodes: [{ event: 'project.created' }] },
        },
      ],
    })
    const rows = await prisma().apiToken.findMany({
      orderBy: { id: 'asc' },
      where: { OR: [{ workspaceId: world.workspace.id }, { project: { workspaceId: world.workspace.id } }] },
    })
    expect(found.tokens.totalCount).toBe(rows.length)
    expect(found.tokens.nodes).toEqual(
      rows.map(({ id, userId, projectId }) => ({ id, userId, project: projectId && { id: projectId } })),
    )
    expect(rows.some(({ projectId }) => projectId) && rows.some(({ workspaceId }) => workspaceId)).toBe(true)
    expect(found.oauthApps.nodes.map(({ name }: { name: string }) => name)).toContain('A')
    expect(found.invitations).toMatchObject({ totalCount: 2 })
    expect(found.invitations.nodes[1]).toMatchObject({
      email: 'y@example.com',
      project: { id: world.project.id },
    })
    const events = found.auditLogs.nodes as { action: string; user: object }[]
    expect(events.at(-1)?.user).toEqual({ id: world.admin.id, name: world.admin.name })
    const site = found.projects.nodes[0]
    expect(site.tokens.totalCount).toBe(1)
    expect(site.environments.nodes).toEqual([
      { project: { id: world.project.id }, variables: { totalCount: 1, nodes: [{ name: 'A', value: '1' }] } },
    ])
  })

  it('that require an admin are null for a viewer, and their errors have the code FORBIDDEN', async () => {
    const { token } = await makeApiToken(world.viewer)
    const { data, errors } = await api.execute(token, deep, { w: world.workspace.id })
    expect(data.workspace).toMatchObject({
      webhooks: null,
      oauthApps: null,
      invitations: null,
      auditLogs: null,
    })
    const [site] = data.workspace.projects.nodes
    expect(site.tokens).toBeNull()
    expect(site.environments.nodes[0].variables.nodes).toEqual([{ name: 'A', value: null }])
    expect(new Set(errors?.map(({ extensions }) => extensions.code))).toEqual(new Set(['FORBIDDEN']))
  })

  it('require the same number of SQL statements for one workspace and for four', async () => {
    const user = await makeUser()
    const { token } = await makeApiToken(user)
    const fill = async () => {
      const workspace = await makeWorkspace([[user, 'ADMIN']])
      const project = await makeProject(workspace)
      await makeApiToken(user, { project })
      const { id } = await prisma().environment.create({ data: { projectId: project.id, name: 'test' } })
      await makeApiToken(user, { project, environment: { id } })
      await prisma().variable.create({
        data: { environmentId: id, name: 'A', sealedValue: new Uint8Array(40) },
      })
      await prisma().webhook.create({
        data: {
          workspaceId: workspace.id,
          url: 'https://a.example/',
          events: ['project.*'],
          sealedSecret: new Uint8Array(40),
        },
      })
      await makeClient(workspace)
    }
    const all = `{ ownProjectTokens { nodes { project { id } environment { id } } } me { workspaces {
      webhooks { totalCount nodes { id deliveries { totalCount } } } oauthApps { totalCount nodes { userCount } }
      invitations { totalCount } auditLogs { totalCount nodes { user { id } } }
      projects(first: 2) { nodes { tokens(first: 2) { nodes { id } } environments { nodes { project { id } variables(first: 2) { nodes { id } } } } } } } } }`
    const counts = []
    for (const times of [1, 3]) {
      for (let n = 0; n < times; n++) await fill()
      const { value, statements } = await countStatements(() => api.execute(token, all))
      expect(value.errors).toBeUndefined()
      counts.push(statements.length)
    }
    expect(counts[1]).toBe(counts[0])
  })
})
