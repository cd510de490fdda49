import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** Mutations that set several variables. */
const api = serveGraphQL()

let token = ''
let environmentId = ''
beforeEach(async () => {
  const user = await makeUser()
  const project = await makeProject(await makeWorkspace([[user, 'ADMIN']]))
  environmentId = (await prisma().environment.create({ data: { projectId: project.id, name: 'production' } }))
    .id
  token = (await makeApiToken(user)).token
})

const set = async (input: object) => {
  const { data, errors } = await api.execute(
    token,
    `mutation ($input: VariablesUpsertInput!) { variablesUpsert(input: $input) {
      environment { revision } variables { name value } deleted } }`,
    { input: { environmentId, ...input } },
  )
  return errors ? errors[0]?.extensions : data.variablesUpsert
}
const all = async () => {
  const query = `{ environment(id: "${environmentId}") { revision variables { nodes { name value } } } }`
  const { environment } = (await api.execute(token, query)).data
  const { nodes } = environment.variables
  return {
    revision: environment.revision,
    values: Object.fromEntries(
      nodes.map(({ name, value }: { name: string; value: string }) => [name, value]),
    ),
  }
}
const pairs = (values: Record<string, string>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }))

describe('several variables', () => {
  it('are set together, in the order of the input, each with a history entry', async () => {
    await set({ variables: pairs({ A: 'old' }) })
    expect(await set({ variables: pairs({ B: '2', A: 'new' }) })).toEqual({
      environment: { revision: 2 },
      variables: pairs({ B: '2', A: 'new' }),
      deleted: [],
    })
    expect(await all()).toEqual({ revision: 2, values: { A: 'new', B: '2' } })
    const history = await prisma().variableChange.findMany({ where: { environmentId } })
    expect(history.map(({ name, action }) => `${name} ${action}`).sort()).toEqual([
      'A CREATED',
      'A UPDATED',
      'B CREATED',
    ])
  })

  it('replace all other variables on request', async () => {
    await set({ variables: pairs({ A: '1', B: '2', C: '3' }) })
    expect((await set({ variables: pairs({ B: '4' }), replace: true })).deleted.sort()).toEqual(['A', 'C'])
    expect((await all()).values).toEqual({ B: '4' })
    expect((await set({ variables: [], replace: true })).deleted).toEqual(['B'])
  })

  it('are either all written or not written at all', async () => {
    await set({ variables: pairs({ A: '1' }) })
    expect(await set({ variables: pairs({ A: '2', 'not a name': '3' }) })).toMatchObject({
      code: 'BAD_USER_INPUT',
    })
    expect(await set({ variables: [...pairs({ A: '2' }), ...pairs({ A: '3' })] })).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'variables',
    })
    expect(await all()).toEqual({ revision: 1, values: { A: '1' } })
  })

  it('do not overwrite a change made after the expected revision', async () => {
    const { revision } = await all()
    await api.execute(
      token,
      `mutation { variableUpsert(input: { environmentId: "${environmentId}", name: "A", value: "theirs" }) { id } }`,
    )
    expect(await set({ variables: pairs({ A: 'mine' }), expectedRevision: revision })).toMatchObject({
      code: 'CONFLICT',
      field: 'expectedRevision',
    })
    expect((await all()).values).toEqual({ A: 'theirs' })
    const now = (await all()).revision
    expect(await set({ variables: pairs({ A: 'mine' }), expectedRevision: now })).toMatchObject({
      environment: { revision: now + 1 },
    })
  })

  it('are written by only one of several parallel requests that expect the same revision', async () => {
    const { revision } = await all()
    const outcomes = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((value) =>
        set({ variables: pairs({ A: value }), expectedRevision: revision }),
      ),
    )
    expect(outcomes.filter((each) => each.environment)).toHaveLength(1)
    expect(outcomes.filter((each) => each.code === 'CONFLICT')).toHaveLength(4)
  })

  it('are limited to five hundred per environment, even in parallel writes', async () => {
    const batch = (from: string) =>
      pairs(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${from}${n}`, '1'])))
    for (const letter of ['A', 'B', 'C', 'D']) await set({ variables: batch(letter) })
    const outcomes = await Promise.all(['E', 'F', 'G'].map((letter) => set({ variables: batch(letter) })))
    expect(outcomes.filter((each) => each.code === 'CONFLICT')).toHaveLength(2)
    expect(await prisma().variable.count({ where: { environmentId } })).toBe(500)
  })
})
