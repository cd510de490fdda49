import { beforeAll, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** Lists that are read page by page in an order that the caller requests. */
const api = serveGraphQL()

let token = ''
let workspaceId = ''

const names = ['Project 1', 'Project 2', 'Project 2', 'Project 10', 'Zürich', 'Élan']
const days = [9, 2, 2, undefined, 40, undefined]

beforeAll(async () => {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  const other = await makeWorkspace([[user, 'VIEWER']])
  workspaceId = workspace.id
  // The projects are created in a different order, in two of the user's workspaces and one that they cannot
  // access.
  for (const [at, name] of ['Project 10', 'Zürich', 'Project 2', 'Project 1', 'Project 2', 'Élan'].entries())
    await makeProject(at % 2 ? workspace : other, [], { name })
  await makeProject(await makeWorkspace([]), [], { name: 'Project 3' })
  token = (await makeApiToken(user)).token
  for (const [at, ends] of days.entries()) {
    const { row } = await makeApiToken(user, { workspace })
    await prisma().apiToken.update({
      where: { id: row.id },
      data: {
        name: `Ends ${at}`,
        expiresAt: ends === undefined ? null : new Date(Date.UTC(2030, 0, ends, 12, 0, 0, 123)),
      },
    })
  }
})

type Page = { nodes: { id: string; name: string }[]; pageInfo: Record<string, string | boolean | null> }

/** Reads a list two rows at a time, from its start or its end. */
async function walk(field: string, args: string, backward = false): Promise<Page['nodes']> {
  const [size, bound, more, edge] = backward
    ? ['last', 'before', 'hasPreviousPage', 'startCursor']
    : ['first', 'after', 'hasNextPage', 'endCursor']
  const query = `query ($at: String) { list: ${field}(${args}, ${size}: 2, ${bound}: $at) {
    nodes { id name } pageInfo { ${more} ${edge} } } }`
  const pages: Page['nodes'][] = []
  for (let at: unknown = null; ; ) {
    const { data, errors } = await api.execute(token, query, { at })
    expect(errors).toBeUndefined()
    const { nodes, pageInfo } = data.list as Page
    pages.push(nodes)
    at = pageInfo[edge as string]
    if (!pageInfo[more as string]) return (backward ? pages.reverse() : pages).flat()
  }
}

const byExpiry = 'orderBy: EXPIRES'

it.each([
  ['forward', false],
  ['backward', true],
])(
  'a client that reads the project list %s gets each project once, in order of name, even if names are equal',
  async (_direction, backward) => {
    const found = await walk('projects', 'orderBy: NAME', backward)
    const collator = new Intl.Collator('en', { numeric: true })
    expect(found.map(({ name }) => name)).toEqual([...names].sort(collator.compare))
    expect(new Set(found.map(({ id }) => id)).size).toBe(names.length)
  },
)

it('the list of a workspace’s projects by name can be filtered by text in their names', async () => {
  const found = await walk('projects', `orderBy: NAME, workspaceId: "${workspaceId}", search: "project"`)
  expect(found.map(({ name }) => name)).toEqual(['Project 1'])
})

it.each([
  ['apiTokens', () => byExpiry],
  ['workspaceTokens', () => `${byExpiry}, workspaceId: "${workspaceId}"`],
])('the list %s is sorted by expiry, and tokens that never expire come last', async (field, args) => {
  const found = (await walk(field, args())).filter(({ name }) => name.startsWith('Ends '))
  expect(
    found
      .map(({ name }) => name)
      .slice(0, 4)
      .sort(),
  ).toEqual(['Ends 0', 'Ends 1', 'Ends 2', 'Ends 4'])
  expect([found[2]?.name, found[3]?.name]).toEqual(['Ends 0', 'Ends 4'])
  expect(
    found
      .map(({ name }) => name)
      .slice(4)
      .sort(),
  ).toEqual(['Ends 3', 'Ends 5'])
  const back = (await walk(field, args(), true)).filter(({ name }) => name.startsWith('Ends '))
  expect(back).toEqual(found)
})

it.each([
  ['projects', 'NAME'],
  ['apiTokens', 'EXPIRES'],
])('the list %s cannot be read with a cursor from a list in a different order', async (field, order) => {
  const read = (args: string) =>
    api.execute(token, `{ ${field}(first: 1, ${args}) { pageInfo { endCursor } } }`)
  const cursorOf = async (by: string) =>
    (await read(`orderBy: ${by}`)).data[field].pageInfo.endCursor as string
  const [created, ordered] = [await cursorOf('CREATED'), await cursorOf(order)]
  for (const args of [`orderBy: ${order}, after: "${created}"`, `after: "${ordered}"`]) {
    expect((await read(args)).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'after',
    })
  }
})
