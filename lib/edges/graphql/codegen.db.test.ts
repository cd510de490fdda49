import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { codegen } from '@graphql-codegen/core'
import * as typedDocuments from '@graphql-codegen/typed-document-node'
import * as operations from '@graphql-codegen/typescript-operations'
import { buildClientSchema, getIntrospectionQuery, parse, printSchema } from 'graphql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** The output of graphql-codegen for the live endpoint, which is compiled by TypeScript and then run. */
const api = serveGraphQL()

const documents = `
  fragment ProjectCard on Project { id name role createdAt }

  query Projects($workspaceId: ID!, $after: String) {
    projects(workspaceId: $workspaceId, first: 2, after: $after) {
      edges { node { ...ProjectCard } }
      pageInfo { hasNextPage endCursor }
    }
  }

  mutation ProjectRename($id: ID!, $input: ProjectUpdateInput!) {
    projectUpdate(id: $id, input: $input) { ...ProjectCard }
  }

  query Me { me { id email } }
`

const client = `
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { print } from 'graphql'

export type Failure = { path?: (string | number)[]; extensions: { code: string; requiredScope?: string } }

const [, , url = '', token = ''] = process.argv

export async function ask<Data, Variables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<{ data?: Data | null; errors?: Failure[] }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ' + token },
    body: JSON.stringify({ query: print(query), variables }),
  })
  return await response.json() as { data?: Data | null; errors?: Failure[] }
}
`

const program = `
import { ask } from './client.js'
import { MeDocument, ProjectRenameDocument, ProjectsDocument } from './generated.js'
import type { ProjectCardFragment, ProjectsQuery } from './generated.js'

const [, , , , workspaceId = '', unknownId = ''] = process.argv
const cards: ProjectCardFragment[] = []
let after: string | null = null
do {
  const data: ProjectsQuery | null | undefined = (await ask(ProjectsDocument, { workspaceId, after })).data
  if (!data) break
  cards.push(...(data.projects?.edges ?? []).map((edge) => edge.node))
  after = data.projects?.pageInfo.hasNextPage ? data.projects.pageInfo.endCursor : null
} while (after !== null)
const id = cards[0]?.id ?? unknownId
const renamed = await ask(ProjectRenameDocument, { id, input: { name: 'renamed' } })
const missing = await ask(ProjectRenameDocument, { id: unknownId, input: { name: 'renamed' } })
const me = await ask(MeDocument, {})
console.log(JSON.stringify({
  names: cards.map((card: ProjectCardFragment): string => card.name).sort(),
  created: cards.every((card) => card.createdAt.endsWith('Z')),
  renamed: renamed.data?.projectUpdate?.name,
  role: renamed.data?.projectUpdate?.role,
  refusals: renamed.errors?.map((error) => error.extensions.code) ?? [],
  missing: missing.errors?.map((error) => error.extensions.code) ?? [],
  email: me.data?.me.email?.toUpperCase() ?? null,
  scopes: me.errors?.map((error) => error.extensions.requiredScope) ?? [],
}))
`

/** Lines that contradict the schema, each with the expected TypeScript error code. */
const mistakes: [line: string, error: string][] = [
  ['(await ask(MeDocument, {})).data?.me.nickname', 'TS2339'], // not in the selection
  ['(await ask(MeDocument, {})).data?.me.email.length', 'TS2531'], // can be null
  ["await ask(ProjectsDocument, { after: 'x' })", 'TS2741'], // a required variable is missing
  ["await ask(ProjectRenameDocument, { id: 'x', input: { title: 'x' } })", 'TS2353'], // not a field of the input
  [
    "(await ask(ProjectsDocument, { workspaceId: 'x' })).data?.projects?.edges[0]?.node.role === 'OWNER'",
    'TS2367',
  ], // not a role
]
const mistaken = [
  "import { ask } from './client.js'",
  "import { MeDocument, ProjectRenameDocument, ProjectsDocument } from './generated.js'",
  ...mistakes.map(([line]) => line),
].join(';\n')

// The directory is outside the repository, so that no other type or format check includes it.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-codegen-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

const node = (...args: string[]): Promise<{ code: number | string; stdout: string; stderr: string }> =>
  new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? 'killed') : 0, stdout, stderr }),
    ),
  )

const compile = (config: string) =>
  node(path.resolve('node_modules/typescript/bin/tsc'), '--project', config, '--pretty', 'false')

beforeAll(async () => {
  const { data } = await api.execute(undefined, getIntrospectionQuery())
  const generated = await codegen({
    filename: 'generated.ts',
    schema: parse(printSchema(buildClientSchema(data))),
    documents: [{ location: 'documents.graphql', document: parse(documents) }],
    config: { useTypeImports: true, scalars: { ID: 'string', DateTime: 'string' } },
    plugins: [{ operations: {} }, { typedDocuments: {} }],
    pluginMap: { operations, typedDocuments },
  })
  const write = (name: string, content: string) => fs.writeFileSync(path.join(folder, name), content)
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    skipLibCheck: true,
  }
  fs.symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'), 'junction')
  write('package.json', '{ "type": "module" }')
  write('generated.ts', generated)
  write('client.ts', client)
  write('program.ts', program)
  write('mistaken.ts', mistaken)
  write('program.json', JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  const unwritten = { ...compilerOptions, noEmit: true }
  write('mistaken.json', JSON.stringify({ compilerOptions: unwritten, files: ['mistaken.ts'] }))
})

it('graphql-codegen generates types that match the responses', async () => {
  expect(await compile('program.json')).toEqual({ code: 0, stdout: '', stderr: '' })
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'MEMBER']])
  for (const name of ['a', 'b', 'c']) await makeProject(workspace, [], { name })
  const elsewhere = await makeProject(await makeWorkspace())
  const run = async (token: string) => {
    const { code, stdout, stderr } = await node('program.js', api.url(), token, workspace.id, elsewhere.id)
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  expect(await run((await makeApiToken(user)).token)).toEqual({
    names: ['a', 'b', 'c'],
    created: true,
    renamed: 'renamed',
    role: 'MEMBER',
    refusals: [],
    missing: ['NOT_FOUND'],
    email: user.email.toUpperCase(),
    scopes: [],
  })
  expect(await run((await makeAccessToken(user, ['openid'])).token)).toMatchObject({
    names: [],
    refusals: ['INSUFFICIENT_SCOPE'],
    email: null,
    scopes: ['email'],
  })
}, 60_000)

it('a graphql-codegen client that contradicts the schema does not compile', async () => {
  const { code, stdout } = await compile('mistaken.json')
  expect(code).not.toBe(0)
  const found = [...stdout.matchAll(/^mistaken\.ts\((\d+),\d+\): error (TS\d+)/gm)]
  expect(found.map(([, line, error]) => [mistakes[Number(line) - 3]?.[0], error])).toEqual(mistakes)
}, 60_000)
