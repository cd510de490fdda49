import { beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { makeAccessToken } from '@/lib/testing/access-token'
import { countStatements } from '@/lib/testing/count-statements'
import { makeApiToken, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'
import { type Found, searchNames } from './search-names'

const api = serveGraphQL()
const search = `query ($text: String!, $first: Int, $after: String) {
  search(text: $text, first: $first, after: $after) {
    totalCount nodes { kind id name path workspaceId projectId environmentId } pageInfo { hasNextPage endCursor } } }`

type Answer = {
  totalCount: number
  nodes: Found[]
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}
async function find(token: string, text: string, page: object = {}): Promise<Answer> {
  const { data, errors } = await api.execute(token, search, { text, ...page })
  expect(errors).toBeUndefined()
  return data.search
}
const linesOf = ({ nodes }: Answer) => nodes.map(({ kind, name, path }) => `${kind} ${path}: ${name}`)

async function setUp() {
  const [admin, viewer, guest] = [await makeUser({ name: 'Ada Orbiter' }), await makeUser(), await makeUser()]
  const acme = await makeWorkspace(
    [
      [admin, 'ADMIN'],
      [viewer, 'VIEWER'],
    ],
    { name: 'Acme' },
  )
  const orbit = await makeProject(acme, [[guest, 'VIEWER']], { name: 'Orbit' })
  const payments = await makeProject(acme, [], { name: 'Payments 100%' })
  const add = async (project: { id: string }, name: string, variable: string) => {
    const environment = await prisma().environment.create({ data: { projectId: project.id, name } })
    await prisma().variable.create({
      data: { environmentId: environment.id, name: variable, sealedValue: new Uint8Array(1) },
    })
    return environment
  }
  await add(orbit, 'Production', 'ORBIT_URL')
  const staging = await add(orbit, 'Staging', 'ORBIT_KEY')
  await add(payments, 'Production', 'DATABASE_URL')
  await makeClient(acme, { name: 'Orbit dashboard' })
  const { row } = await makeApiToken(admin, { project: orbit })
  await prisma().apiToken.update({ where: { id: row.id }, data: { name: 'orbit deploys' } })
  await prisma().webhook.create({
    data: {
      workspaceId: acme.id,
      url: 'https://orbit.example/hook',
      events: [],
      sealedSecret: new Uint8Array(1),
    },
  })
  const others = await makeWorkspace([[await makeUser({ name: 'Orbit of others' }), 'ADMIN']], {
    name: 'Orbit of others',
  })
  await add(await makeProject(others, [], { name: 'Orbit of others' }), 'Orbit of others', 'ORBIT_OF_OTHERS')
  await makeClient(others, { name: 'Orbit of others' })
  return { admin, viewer, guest, acme, orbit, payments, staging }
}
let world: Awaited<ReturnType<typeof setUp>>
beforeAll(async () => {
  world = await setUp()
})

const whatAViewerFinds = [
  'PROJECT Acme: Orbit',
  'VARIABLE Acme / Orbit / Staging: ORBIT_KEY',
  'VARIABLE Acme / Orbit / Production: ORBIT_URL',
  'MEMBER Acme: Ada Orbiter',
]

describe('search results', () => {
  it('list exact matches first, then prefixes, then other matches, across all kinds of resources', async () => {
    const { token } = await makeApiToken(world.admin)
    expect(linesOf(await find(token, ' orbit '))).toEqual([
      'PROJECT Acme: Orbit',
      'OAUTH_APP Acme: Orbit dashboard',
      'API_TOKEN Acme / Orbit: orbit deploys',
      'VARIABLE Acme / Orbit / Staging: ORBIT_KEY',
      'VARIABLE Acme / Orbit / Production: ORBIT_URL',
      'MEMBER Acme: Ada Orbiter',
      'WEBHOOK Acme: https://orbit.example/hook',
    ])
  })

  it('match words in the path, but only if at least one word matches the name', async () => {
    const { token } = await makeApiToken(world.admin)
    expect(linesOf(await find(token, 'orbit production'))).toEqual([
      'ENVIRONMENT Acme / Orbit: Production',
      'VARIABLE Acme / Orbit / Production: ORBIT_URL',
    ])
    expect(linesOf(await find(token, 'acme'))).toEqual(['WORKSPACE : Acme'])
  })

  it('match the typed characters literally', async () => {
    const { token } = await makeApiToken(world.admin)
    expect(linesOf(await find(token, '100%'))).toEqual(['PROJECT Acme: Payments 100%'])
    expect(linesOf(await find(token, '1%0'))).toEqual([])
    expect(linesOf(await find(token, 'DATABASE_URL'))).toEqual([
      'VARIABLE Acme / Payments 100% / Production: DATABASE_URL',
    ])
  })

  it('contain the ID of the resource and the IDs of its project and workspace', async () => {
    const { token } = await makeApiToken(world.admin)
    const { nodes } = await find(token, 'staging')
    expect(nodes).toEqual([
      expect.objectContaining({
        id: world.staging.id,
        environmentId: world.staging.id,
        projectId: world.orbit.id,
        workspaceId: world.acme.id,
      }),
    ])
  })

  it('are returned in pages that together contain all results', async () => {
    const { token } = await makeApiToken(world.admin)
    const whole = await find(token, 'orbit')
    const read: string[] = []
    for (let after: string | null = null; ; ) {
      const page: Answer = await find(token, 'orbit', { first: 2, after })
      expect(page.totalCount).toBe(7)
      read.push(...linesOf(page))
      if (!page.pageInfo.hasNextPage) break
      after = page.pageInfo.endCursor
    }
    expect(read).toEqual(linesOf(whole))
  })

  it('are sorted by name in natural order across pages', async () => {
    const admin = await makeUser()
    const workspace = await makeWorkspace([[admin, 'ADMIN']], { name: 'Acme' })
    const names = ['Billing', 'Billing 2', 'Billing 10', 'Billing 100']
    for (const name of names.toReversed()) await makeProject(workspace, [], { name })
    const { token } = await makeApiToken(admin)
    const first = await find(token, 'billin', { first: 3 })
    const second = await find(token, 'billin', { first: 3, after: first.pageInfo.endCursor })
    expect([...first.nodes, ...second.nodes].map(({ name }) => name)).toEqual(names)
  })

  it('are not returned for a blank search text or an invalid cursor', async () => {
    const { token } = await makeApiToken(world.admin)
    for (const [input, field] of [
      [{ text: '  ' }, 'text'],
      [{ text: 'orbit', after: 'nonsense' }, 'after'],
      [{ text: 'orbit', after: Buffer.from('00\0').toString('base64url') }, 'after'],
    ] as const) {
      const { errors } = await api.execute(token, search, input)
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field })
    }
  })

  it('are read with only two statements, regardless of the number of workspaces', async () => {
    const user = await makeUser()
    for (const name of ['One', 'Two', 'Three']) {
      const workspace = await makeWorkspace([[user, 'ADMIN']], { name })
      await makeProject(workspace, [], { name: 'Comet' })
    }
    const actor: Actor = {
      kind: 'account-token',
      userId: user.id,
      tokenId: '',
      role: 'ADMIN',
      twoFactor: false,
    }
    const { value, statements } = await countStatements(() => searchNames(actor, 'comet', {}))
    expect([value.rows.length, statements.length]).toEqual([3, 2])
  })
})

describe('a search', () => {
  it.each(['VIEWER', 'MEMBER'] as const)(
    'with a token limited to the role %s finds no apps, tokens, or webhooks',
    async (role) => {
      expect(linesOf(await find((await makeApiToken(world.admin, { role })).token, 'orbit'))).toEqual(
        whatAViewerFinds,
      )
    },
  )

  it('by a viewer finds no apps, tokens, or webhooks', async () => {
    expect(linesOf(await find((await makeApiToken(world.viewer)).token, 'orbit'))).toEqual(whatAViewerFinds)
  })

  it('by an external user with a role in a project finds the project and its variables, but no users', async () => {
    expect(linesOf(await find((await makeApiToken(world.guest)).token, 'orbit'))).toEqual([
      'PROJECT Acme: Orbit',
      'VARIABLE Acme / Orbit / Staging: ORBIT_KEY',
      'VARIABLE Acme / Orbit / Production: ORBIT_URL',
    ])
  })

  it('with a token limited to an environment finds nothing in the project’s other environments', async () => {
    const { token } = await makeApiToken(world.admin, { project: world.orbit, environment: world.staging })
    expect(linesOf(await find(token, 'orbit'))).toEqual([
      'PROJECT Acme: Orbit',
      'VARIABLE Acme / Orbit / Staging: ORBIT_KEY',
    ])
    expect(linesOf(await find(token, 'production'))).toEqual([])
  })

  it('by an app finds only shared resources that its scopes cover', async () => {
    const project = await makeAccessToken(world.admin, ['project:admin'], { projects: [world.payments] })
    expect(linesOf(await find(project.token, 'orbit'))).toEqual([])
    expect(linesOf(await find(project.token, 'payments'))).toEqual(['PROJECT Acme: Payments 100%'])
    const viewer = await makeAccessToken(world.admin, ['workspace:viewer'], { workspaces: [world.acme] })
    expect(linesOf(await find(viewer.token, 'orbit'))).toEqual(whatAViewerFinds)
    const nothing = await makeAccessToken(world.admin, ['workspace:admin'], {})
    expect(linesOf(await find(nothing.token, 'orbit'))).toEqual([])
  })

  it('by an app finds nothing in a workspace that blocks the app', async () => {
    const { token, client } = await makeAccessToken(world.admin, ['workspace:admin'], {
      workspaces: [world.acme],
    })
    expect(linesOf(await find(token, 'dashboard'))).toHaveLength(1)
    await prisma().workspaceApp.create({
      data: { workspaceId: world.acme.id, clientId: client.id, decision: 'BLOCKED' },
    })
    expect(linesOf(await find(token, 'orbit'))).toEqual([])
  })
})
