import { beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { countStatements } from '@/lib/testing/count-statements'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { newKey } from '@/lib/testing/fresh-rows'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/**
 * Requests from a command-line tool for a similar API, which uses the same nouns, declares IDs as strings,
 * and expects the compatibility fields.
 */
const api = serveGraphQL()

let token = ''
let world: { workspaceId: string; projectId: string; environmentId: string; guestProjectId: string }
let user: Awaited<ReturnType<typeof makeUser>>

const environment = (projectId: string, name: string) =>
  prisma().environment.create({ data: { projectId, name } })

beforeAll(async () => {
  user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  const project = await makeProject(workspace)
  const { id } = await environment(project.id, 'production')
  await environment(project.id, 'staging')
  const guest = await makeProject(await makeWorkspace(), [[user, 'VIEWER']])
  world = {
    workspaceId: workspace.id,
    projectId: project.id,
    environmentId: id,
    guestProjectId: guest.id,
  }
  token = (await makeApiToken(user)).token
})

const ask = async (query: string, variables?: object, by = token) => {
  const reply = await api.execute(by, query, variables)
  expect(reply.errors).toBeUndefined()
  return reply.data
}

const environments = 'environments { edges { node { id name canAccess deletedAt } } }'
const project = `id name createdAt updatedAt deletedAt ${environments}`

describe('a command-line tool for a similar API', () => {
  it('reads the user and the accessible resources', async () => {
    const data = await ask(`query Everything {
      externalWorkspaces { id name teamId projects { ${project} } }
      me { id name email workspaces { id name team { id } projects(first: 50) { edges { node { ${project} } } } } }
    }`)
    const [external] = data.externalWorkspaces
    expect([external.teamId, external.projects[0].id]).toEqual([external.id, world.guestProjectId])
    const [workspace] = data.me.workspaces
    expect([workspace.id, workspace.team.id]).toEqual([world.workspaceId, world.workspaceId])
    const [{ node }] = workspace.projects.edges
    expect(node).toMatchObject({ id: world.projectId, deletedAt: null })
    expect(node.environments.edges.map((edge: { node: object }) => edge.node)).toMatchObject([
      { id: world.environmentId, name: 'production', canAccess: true, deletedAt: null },
      { name: 'staging' },
    ])
  })

  it('lists projects with their environments, without extra SQL statements for 20 more projects', async () => {
    const query = `query Projects($workspaceId: String) { projects(workspaceId: $workspaceId) {
      edges { node { id name updatedAt workspace { id name } ${environments} } } } }`
    const counts = []
    for (const more of [0, 20]) {
      for (let made = 0; made < more; made++) await makeProject({ id: world.workspaceId })
      const variables = { workspaceId: world.workspaceId }
      const { value, statements } = await countStatements(() => api.execute(token, query, variables))
      expect(value.errors).toBeUndefined()
      counts.push(statements.length)
    }
    expect(counts[0]).toBe(counts[1])
  })

  it('reads one project, and the first or last page of its environments', async () => {
    const one = await ask(
      `query Project($id: String!) { project(id: $id) { id name workspaceId deletedAt workspace { name } ${environments} } }`,
      { id: world.projectId },
    )
    expect(one.project).toMatchObject({ id: world.projectId, workspaceId: world.workspaceId })
    const pages = `query ($id: ID!) { project(id: $id) {
      first: environments(first: 1) { edges { node { name } } pageInfo { hasNextPage } }
      last: environments(last: 1) { edges { node { name } } pageInfo { hasPreviousPage } } } }`
    const { first, last } = (await ask(pages, { id: world.projectId })).project
    expect(first).toEqual({ edges: [{ node: { name: 'production' } }], pageInfo: { hasNextPage: true } })
    expect(last).toEqual({ edges: [{ node: { name: 'staging' } }], pageInfo: { hasPreviousPage: true } })
  })

  it('reads the environments of a project, and a single environment by ID', async () => {
    const query = `query Environments($projectId: String!, $isEphemeral: Boolean, $first: Int, $after: String) {
      environments(projectId: $projectId, isEphemeral: $isEphemeral, first: $first, after: $after) {
        edges { node { id name isEphemeral createdAt updatedAt canAccess unmergedChangesCount
          sourceEnvironment { id name } meta { branch prNumber prTitle prRepo baseBranch } } } pageInfo { hasNextPage endCursor } } }`
    const names = async (isEphemeral?: boolean) =>
      (await ask(query, { projectId: world.projectId, isEphemeral })).environments.edges.map(
        (edge: { node: { name: string } }) => edge.node.name,
      )
    expect([await names(), await names(false), await names(true)]).toEqual([
      ['production', 'staging'],
      ['production', 'staging'],
      [],
    ])
    const one = await ask('query ($id: String!) { environment(id: $id) { id name projectId } }', {
      id: world.environmentId,
    })
    expect(one.environment).toMatchObject({ name: 'production', projectId: world.projectId })
  })

  it('creates an environment, deletes a variable, and gets errors if it specifies a source environment or a service', async () => {
    const create = `mutation ($p: String!, $name: String!, $from: String, $later: Boolean) { environmentCreate(
      input: { projectId: $p, name: $name, sourceEnvironmentId: $from, applyChangesInBackground: $later }) { name id } }`
    const p = world.projectId
    const { environmentCreate } = await ask(create, { p, name: 'preview', later: true })
    const remove = `mutation ($p: String!, $e: String!, $name: String!, $s: String) { variableDelete(
      input: { projectId: $p, environmentId: $e, name: $name, serviceId: $s }) }`
    const variable = { p, e: environmentCreate.id, name: 'A' }
    await ask(
      `mutation { variableUpsert(input: { environmentId: "${variable.e}", name: "A", value: "1" }) { id } }`,
    )
    const field = async (query: string, variables: object) =>
      (await api.execute(token, query, variables)).errors?.[0]?.extensions.field
    expect(await field(create, { p, name: 'copy', from: world.environmentId })).toBe('sourceEnvironmentId')
    expect(await field(remove, { ...variable, s: p })).toBe('serviceId')
    expect(await ask(remove, variable)).toEqual({ variableDelete: true })
    await ask(`mutation { environmentDelete(id: "${variable.e}") }`)
  })

  it('can omit the workspace of a new project only if the user has a single workspace', async () => {
    const create = `mutation ProjectCreate($name: String, $description: String, $workspaceId: String) {
      projectCreate(input: { name: $name, description: $description, workspaceId: $workspaceId }) {
        id name workspaceId environments { edges { node { id name } } } } }`
    const made = await ask(create, { name: 'From a tool', workspaceId: world.workspaceId })
    expect(made.projectCreate).toMatchObject({ name: 'From a tool', environments: { edges: [] } })
    expect((await ask(create, { name: 'Alone' })).projectCreate.workspaceId).toBe(world.workspaceId)
    const refused = async (by: string, variables: object) =>
      (await api.execute(by, create, variables)).errors?.[0]?.extensions
    expect(await refused(token, { workspaceId: world.workspaceId })).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'name',
    })
    const several = await makeUser()
    await makeWorkspace([[several, 'ADMIN']])
    await makeWorkspace([[several, 'ADMIN']])
    expect(await refused((await makeApiToken(several)).token, { name: 'Where' })).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'workspaceId',
    })
  })

  it('writes variables by name, and gets an error if it specifies a service', async () => {
    const upsert = `mutation VariableCollectionUpsert($projectId: String!, $environmentId: String!, $serviceId: String, $variables: EnvironmentVariables!, $replace: Boolean) {
      variableCollectionUpsert(input: { projectId: $projectId, environmentId: $environmentId, serviceId: $serviceId, variables: $variables, replace: $replace, skipDeploys: true }) }`
    const { id: environmentId } = await environment(world.projectId, 'of a tool')
    const to = { projectId: world.projectId, environmentId }
    const values = async () =>
      (
        await ask('query ($e: ID!) { variables(environmentId: $e) { nodes { name value } } }', {
          e: environmentId,
        })
      ).variables.nodes
    await ask(upsert, { ...to, variables: { A: '1', B: '2' } })
    expect(await values()).toEqual([
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ])
    await ask(upsert, { ...to, variables: { B: '3' }, replace: true })
    expect(await values()).toEqual([{ name: 'B', value: '3' }])
    const refused = await api.execute(token, upsert, { ...to, variables: { C: '1' }, serviceId: 'web' })
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'serviceId' })
    expect((await api.execute(token, upsert, { ...to, variables: { C: 1 } })).status).toBe(400)
    expect(await values()).toHaveLength(1)
    await prisma().environment.delete({ where: { id: environmentId } })
  })

  it('uses the compatibility fields to delete and restore a project and to read two-factor information', async () => {
    const { id } = await makeProject({ id: world.workspaceId })
    await ask('mutation ProjectScheduleDelete($id: String!) { projectScheduleDelete(id: $id) }', { id })
    expect((await ask(`mutation { projectRestore(id: "${id}") { id } }`)).projectRestore.id).toBe(id)
    expect(await ask('query { twoFactorInfo { isVerified hasRecoveryCodes } }')).toEqual({
      twoFactorInfo: { isVerified: false, hasRecoveryCodes: false },
    })
    await ask(`mutation { projectDelete(id: "${id}") }`)
  })

  it('creates and lists SSH keys, which belong to users and not to workspaces', async () => {
    const fields = 'id name publicKey fingerprint userId workspaceId'
    const create = `mutation ($input: SshPublicKeyCreateInput!) { sshPublicKeyCreate(input: $input) { ${fields} } }`
    const input = { name: 'laptop', publicKey: newKey() }
    const made = (await ask(create, { input: { ...input, workspaceId: null } })).sshPublicKeyCreate
    expect(made).toMatchObject({ userId: user.id, workspaceId: null })
    const list = `query ($workspaceId: String) { sshPublicKeys(first: 100, workspaceId: $workspaceId) {
      edges { node { ${fields} } } } }`
    expect((await ask(list)).sshPublicKeys.edges).toEqual([{ node: made }])
    expect((await ask(list, { workspaceId: world.workspaceId })).sshPublicKeys.edges).toEqual([])
    const { errors } = await api.execute(token, create, {
      input: { publicKey: newKey(), workspaceId: world.workspaceId },
    })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'workspaceId' })
  })
})

describe('the query projectToken', () => {
  const self =
    'query ProjectToken { projectToken { id name role project { id name } environment { id name } } }'

  it('returns the token’s project and the project’s first environment', async () => {
    const made = await makeApiToken(user, { project: { id: world.projectId }, role: 'MEMBER' })
    const { projectToken } = await ask(self, {}, made.token)
    expect(projectToken).toMatchObject({
      id: made.row.id,
      role: 'MEMBER',
      project: { id: world.projectId },
      environment: { id: world.environmentId, name: 'production' },
    })
    const list = await ask(
      `query ($id: ID!) { projectTokens(projectId: $id) { edges { node { id project { id } environment { name } } } } }`,
      { id: world.projectId },
    )
    expect(list.projectTokens.edges).toEqual([
      { node: { id: made.row.id, project: { id: world.projectId }, environment: { name: 'production' } } },
    ])
  })

  it('does not return the project after the user loses access', async () => {
    const guest = await makeUser()
    const project = await makeProject(await makeWorkspace(), [[guest, 'ADMIN']])
    await environment(project.id, 'hidden')
    const made = await makeApiToken(guest, { project })
    await prisma().projectMember.deleteMany({ where: { projectId: project.id } })
    const { data, errors } = await api.execute(made.token, self)
    expect(data.projectToken).toMatchObject({ project: null, environment: null })
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND', 'NOT_FOUND'])
  })

  it('fails with a workspace token, and the error states that a project token is required', async () => {
    const made = await makeApiToken(user, { workspace: { id: world.workspaceId } })
    const { data, errors } = await api.execute(made.token, '{ me { id email } projectToken { id } }')
    expect(data).toEqual({ me: { id: user.id, email: null }, projectToken: null })
    expect(errors?.map(({ message, path }) => [path?.join('.'), message])).toEqual([
      ['me.email', 'This token belongs to a workspace or project. Use an account token for personal data.'],
      [
        'projectToken',
        'This query requires a project token. Authenticate with the project token that you want to look up.',
      ],
    ])
  })
})
