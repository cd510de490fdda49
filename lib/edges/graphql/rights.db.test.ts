import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/**
 * The table of rights (ADR 0017) over HTTP: user role x kind of token x selection, for reads and writes.
 * Each row has its own user, a workspace W in which they can have a role, and a project P in it.
 */
const api = serveGraphQL()

type Role = 'ADMIN' | 'MEMBER' | 'VIEWER'
type Named = { id: string }
type World = { user: Named; workspace: Named; project: Named; elsewhere: Named }
type Token = (world: World) => Promise<{ token: string }>

const account: Token = ({ user }) => makeApiToken(user)
const workspaceToken =
  (role: Role): Token =>
  ({ user, workspace }) =>
    makeApiToken(user, { workspace, role })
const projectToken =
  (role: Role): Token =>
  ({ user, project }) =>
    makeApiToken(user, { project, role })
/** Creates an app's token. `W` and `P` are the selection, and `other` selects an unrelated workspace. */
const app =
  (scope: string, selected: 'W' | 'P' | 'other' | 'nothing'): Token =>
  ({ user, workspace, project, elsewhere }) =>
    makeAccessToken(user, ['openid', ...scope.split(' ')], {
      workspaces: selected === 'W' ? [workspace] : selected === 'other' ? [elsewhere] : [],
      projects: selected === 'P' ? [project] : [],
    })

const operations = {
  workspace: 'query ($w: ID!) { workspace(workspaceId: $w) { id } }',
  project: 'query ($p: ID!) { project(id: $p) { id } }',
  projects: 'query ($w: ID!) { projects(workspaceId: $w) { edges { node { id } } } }',
  create: 'mutation ($w: ID!) { projectCreate(input: { workspaceId: $w, name: "New" }) { id } }',
  update: 'mutation ($p: ID!) { projectUpdate(id: $p, input: { name: "Newer" }) { name } }',
  delete: 'mutation ($p: ID!) { projectDelete(id: $p) }',
}

const needs = (role: 'viewer' | 'member' | 'admin', family = 'project') => `${family}:${role}`

const no = 'NOT_FOUND'
const low = 'FORBIDDEN'
const away = 'RESOURCE_NOT_SHARED'
const w = (role: 'viewer' | 'member' | 'admin') => needs(role, 'workspace')
const p = needs

type Expected = [
  workspace: string,
  project: string,
  projects: string,
  create: string,
  update: string,
  remove: string,
]
type Row = [title: string, roles: { workspace?: Role; project?: Role }, token: Token, expected: Expected]

// biome-ignore format: one row a line
const table: Row[] = [
  // title roles token workspace project projects create update delete
  ['account, admin',                      { workspace: 'ADMIN' },                 account,                           ['ok',       'ok',        'ok',        'ok',        'ok',        'ok']],
  ['account, member',                     { workspace: 'MEMBER' },                account,                           ['ok',       'ok',        'ok',        'ok',        'ok',        low]],
  ['account, viewer',                     { workspace: 'VIEWER' },                account,                           ['ok',       'ok',        'ok',        low,         low,         low]],
  ['account, no role',                    {},                                     account,                           [no,         no,          no,          no,          no,          no]],
  ['account, admin of only P',            { project: 'ADMIN' },                   account,                           [no,         'ok',        'ok',        no,          'ok',        'ok']],
  ['account, member of only P',           { project: 'MEMBER' },                  account,                           [no,         'ok',        'ok',        no,          'ok',        low]],
  ['account, viewer of only P',           { project: 'VIEWER' },                  account,                           [no,         'ok',        'ok',        no,          low,         low]],
  ['account, viewer of W, admin of P',    { workspace: 'VIEWER', project: 'ADMIN' }, account,                        ['ok',       'ok',        'ok',        low,         'ok',        'ok']],
  ['account, admin of W, viewer of P',    { workspace: 'ADMIN', project: 'VIEWER' }, account,                        ['ok',       'ok',        'ok',        'ok',        'ok',        'ok']],

  ['workspace token ADMIN, admin',        { workspace: 'ADMIN' },                 workspaceToken('ADMIN'),           ['ok',       'ok',        'ok',        'ok',        'ok',        'ok']],
  ['workspace token MEMBER, admin',       { workspace: 'ADMIN' },                 workspaceToken('MEMBER'),          ['ok',       'ok',        'ok',        'ok',        'ok',        low]],
  ['workspace token VIEWER, admin',       { workspace: 'ADMIN' },                 workspaceToken('VIEWER'),          ['ok',       'ok',        'ok',        low,         low,         low]],
  ['workspace token ADMIN, viewer',       { workspace: 'VIEWER' },                workspaceToken('ADMIN'),           ['ok',       'ok',        'ok',        low,         low,         low]],
  ['workspace token ADMIN, left W',       {},                                     workspaceToken('ADMIN'),           [no,         no,          no,          no,          no,          no]],

  ['project token ADMIN, admin',          { workspace: 'ADMIN' },                 projectToken('ADMIN'),             [away,       'ok',        'ok',        away,        'ok',        'ok']],
  ['project token VIEWER, admin',         { workspace: 'ADMIN' },                 projectToken('VIEWER'),            [away,       'ok',        'ok',        away,        low,         low]],
  ['project token ADMIN, member of P',    { project: 'MEMBER' },                  projectToken('ADMIN'),             [no,         'ok',        'ok',        no,          'ok',        low]],
  ['project token ADMIN, left P',         {},                                     projectToken('ADMIN'),             [no,         no,          no,          no,          no,          no]],

  ['workspace:admin, W, admin',           { workspace: 'ADMIN' },                 app('workspace:admin', 'W'),       ['ok',       'ok',        'ok',        'ok',        'ok',        'ok']],
  ['workspace:admin, W, member',          { workspace: 'MEMBER' },                app('workspace:admin', 'W'),       ['ok',       'ok',        'ok',        'ok',        'ok',        low]],
  ['workspace:admin, W, viewer',          { workspace: 'VIEWER' },                app('workspace:admin', 'W'),       ['ok',       'ok',        'ok',        low,         low,         low]],
  ['workspace:admin, W, no role',         {},                                     app('workspace:admin', 'W'),       [no,         no,          no,          no,          no,          no]],
  ['workspace:admin, W, admin of only P', { project: 'ADMIN' },                   app('workspace:admin', 'W'),       [no,         'ok',        'ok',        no,          'ok',        'ok']],
  ['workspace:admin, other, admin',       { workspace: 'ADMIN' },                 app('workspace:admin', 'other'),   [away,       away,        away,        away,        away,        away]],
  ['workspace:admin, nothing, admin',     { workspace: 'ADMIN' },                 app('workspace:admin', 'nothing'), [away,       away,        away,        away,        away,        away]],
  ['workspace:admin, P only, admin',      { workspace: 'ADMIN' },                 app('workspace:admin', 'P'),       [away,       away,        away,        away,        away,        away]],
  ['workspace:member, W, admin',          { workspace: 'ADMIN' },                 app('workspace:member', 'W'),      ['ok',       'ok',        'ok',        'ok',        'ok',        p('admin')]],
  ['workspace:viewer, W, admin',          { workspace: 'ADMIN' },                 app('workspace:viewer', 'W'),      ['ok',       'ok',        'ok',        w('member'), p('member'), p('admin')]],

  ['project:admin, P, admin',             { workspace: 'ADMIN' },                 app('project:admin', 'P'),         [w('viewer'), 'ok',       'ok',        w('member'), 'ok',        'ok']],
  ['project:admin, P, viewer',            { workspace: 'VIEWER' },                app('project:admin', 'P'),         [w('viewer'), 'ok',       'ok',        w('member'), low,         low]],
  ['project:admin, P, member of only P',  { project: 'MEMBER' },                  app('project:admin', 'P'),         [w('viewer'), 'ok',       'ok',        w('member'), 'ok',        low]],
  ['project:admin, P, no role',           {},                                     app('project:admin', 'P'),         [w('viewer'), no,         no,          w('member'), no,          no]],
  ['project:admin, other, admin',         { workspace: 'ADMIN' },                 app('project:admin', 'other'),     [w('viewer'), away,       away,        w('member'), away,        away]],
  ['project:admin, W only, admin',        { workspace: 'ADMIN' },                 app('project:admin', 'W'),         [w('viewer'), away,       away,        w('member'), away,        away]],
  ['project:member, P, admin',            { workspace: 'ADMIN' },                 app('project:member', 'P'),        [w('viewer'), 'ok',       'ok',        w('member'), 'ok',        p('admin')]],
  ['project:viewer, P, admin',            { workspace: 'ADMIN' },                 app('project:viewer', 'P'),        [w('viewer'), 'ok',       'ok',        w('member'), p('member'), p('admin')]],

  ['viewer of W, admin of P: W',          { workspace: 'ADMIN' },                 app('workspace:viewer project:admin', 'W'), ['ok', 'ok',     'ok',        w('member'), away,        away]],
  ['viewer of W, admin of P: P',          { workspace: 'ADMIN' },                 app('workspace:viewer project:admin', 'P'), [away, 'ok',     'ok',        w('member'), 'ok',        'ok']],
  ['openid alone',                        { workspace: 'ADMIN' },                 app('email', 'W'),                 [w('viewer'), p('viewer'), p('viewer'), w('member'), p('member'), p('admin')]],
]

const outcomeOf = async (token: string, query: string, { workspace, project }: World): Promise<string> => {
  const used = {
    ...(query.includes('$w') && { w: workspace.id }),
    ...(query.includes('$p') && { p: project.id }),
  }
  const { status, data, errors } = await api.execute(token, query, used)
  expect(status).toBe(200)
  if (!errors) return 'ok'
  expect(Object.values(data ?? {}).filter((value) => value !== null)).toEqual([])
  const { code, requiredScope } = errors[0]?.extensions ?? {}
  expect(requiredScope === undefined).toBe(code !== 'INSUFFICIENT_SCOPE')
  return String(requiredScope ?? code)
}

describe('the rights of a token', () => {
  it.each(table)('match the table of rights: %s', async (_title, roles, tokenFor, expected) => {
    const user = await makeUser()
    const workspace = await makeWorkspace(roles.workspace ? [[user, roles.workspace]] : [])
    const project = await makeProject(workspace, roles.project ? [[user, roles.project]] : [])
    const elsewhere = await makeWorkspace([[user, 'ADMIN']])
    const world = { user, workspace, project, elsewhere }
    const { token } = await tokenFor(world)
    const outcomes: string[] = []
    for (const query of Object.values(operations)) outcomes.push(await outcomeOf(token, query, world))
    expect(outcomes).toEqual(expected)
  })
})

it('a selection or a list of scopes that is null in the database counts as empty', async () => {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  const project = await makeProject(workspace)
  const world = { user, workspace, project, elsewhere: workspace }
  const made = await makeAccessToken(user, ['openid', 'workspace:admin', 'project:admin'])
  await prisma().$executeRaw`
    UPDATE authorizations SET workspace_ids = NULL, project_ids = NULL WHERE id = ${made.authorization.id}::uuid`
  for (const query of Object.values(operations)) {
    expect(await outcomeOf(made.token, query, world)).toBe(away)
  }
  await prisma()
    .$executeRaw`UPDATE authorizations SET scopes = NULL WHERE id = ${made.authorization.id}::uuid`
  expect(await outcomeOf(made.token, operations.update, world)).toBe(p('member'))
})
