import type { GraphQLFieldMap } from 'graphql'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken, makeInstallationToken } from '@/lib/testing/access-token'
import {
  everyOperation as operations,
  type TriedOperation,
  type Variables,
} from '@/lib/testing/every-operation'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { fresh, type World } from '@/lib/testing/fresh-rows'
import { type GraphQLReply, serveGraphQL } from '@/lib/testing/graphql-server'
import { examples } from './reference/examples'
import { schema } from './schema'

/**
 * Every query, mutation, and subscription with every kind of caller. Each row of the table has one letter per
 * caller, in the order of `callers`: `.` success, `A` APPROVAL_REQUIRED, `C` CONFLICT, `F` FORBIDDEN, `N`
 * NOT_FOUND, `S` INSUFFICIENT_SCOPE, `R` RESOURCE_NOT_SHARED.
 */
const api = serveGraphQL()

const callers = [
  'stranger',
  'guest who is a VIEWER of only the project',
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
  'an app installed with workspace:member',
  'an app installed with project:viewer for only the project',
  'an app with a client credentials token but no installation',
] as const

const letters: Record<string, string> = {
  APPROVAL_REQUIRED: 'A',
  CONFLICT: 'C',
  FORBIDDEN: 'F',
  NOT_FOUND: 'N',
  INSUFFICIENT_SCOPE: 'S',
  RESOURCE_NOT_SHARED: 'R',
}

const aboutWorkspace = Object.entries(operations).filter(([, { expected }]) => expected[0] === 'N')

describe('every operation', () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const fields = Object.assign({}, ...roots.map((type) => type?.getFields())) as GraphQLFieldMap<
    unknown,
    unknown
  >
  let w: string
  let p: string
  let env: string
  let adminOf: { id: string }
  const cast: { token: string; user: { id: string } }[] = []

  beforeAll(async () => {
    const [stranger, guest, viewer, member, admin] = await Promise.all([
      makeUser(),
      makeUser(),
      makeUser(),
      makeUser(),
      makeUser(),
    ])
    const workspace = await makeWorkspace([
      [viewer, 'VIEWER'],
      [member, 'MEMBER'],
      [admin, 'ADMIN'],
      [await makeUser(), 'ADMIN'],
    ])
    const project = await makeProject(workspace, [[guest, 'VIEWER']])
    w = workspace.id
    p = project.id
    env = (await fresh.environment({ p } as World)).id
    adminOf = admin
    for (const user of [stranger, guest, viewer, member, admin]) {
      cast.push({ token: (await makeApiToken(user)).token, user })
    }
    cast.push({ token: (await makeApiToken(admin, { workspace })).token, user: admin })
    cast.push({ token: (await makeApiToken(admin, { project })).token, user: admin })
    for (const scope of [
      'workspace:viewer',
      'workspace:member',
      'workspace:admin',
      'project:admin',
      'ssh_keys notifications',
    ]) {
      const scopes = ['openid', ...scope.split(' ')]
      const { token } = await makeAccessToken(admin, scopes, { workspaces: [workspace], projects: [project] })
      cast.push({ token, user: admin })
    }
    for (const role of ['MEMBER', 'VIEWER'] as const) {
      cast.push({ token: (await makeApiToken(admin, { role })).token, user: admin })
    }
    for (const installation of [
      { workspace, scopes: ['workspace:member'] },
      { workspace, scopes: ['project:viewer'], projects: [project] },
      undefined,
    ]) {
      cast.push({ token: (await makeInstallationToken(installation)).token, user: admin })
    }
  })

  // Delete the apps that a test creates, because a workspace can have a limited number of apps.
  let apps: string[] = []
  beforeEach(async () => {
    const found = await prisma().oAuthClient.findMany({ where: { workspaceId: w }, select: { id: true } })
    apps = found.map(({ id }) => id)
  })
  afterEach(() => prisma().oAuthClient.deleteMany({ where: { workspaceId: w, id: { notIn: apps } } }))

  it('is listed in the table of expected outcomes and has an example', () => {
    expect(Object.keys(operations).sort()).toEqual(Object.keys(fields).sort())
    expect(Object.keys(examples).sort()).toEqual(Object.keys(fields).sort())
  })

  it.each(aboutWorkspace)('documents the role that it requires: %s', (name, { expected }) => {
    const said = /Requires the (\w+) role/.exec(fields[name]?.description ?? '')?.[1] ?? 'VIEWER'
    const lowest = [2, 3, 4].findIndex((caller) => expected[caller] === '.')
    expect(said).toBe(['VIEWER', 'MEMBER', 'ADMIN'][lowest])
  })

  /** Returns the first result of a stream, or nothing if the stream is open and waits for events. */
  const firstOf = async (token: string, query: string, used: Variables) => {
    const stream = await api.follow(token, query, used)
    const first = await stream.pulse()
    stream.close()
    return { errors: first?.data?.errors as GraphQLReply['errors'] }
  }

  const attempt = async (name: string, { target }: TriedOperation, token: string, user: { id: string }) => {
    const { u: userId, ...more } = (await target?.({ w, p, env, user, admin: adminOf })) ?? {}
    const given: Variables = { workspaceId: w, projectId: p, environmentId: env, userId, ...more }
    const query = examples[name] ?? ''
    const used = Object.fromEntries(
      Object.entries(given).filter(([each]) => new RegExp(`\\$${each}\\b`).test(query)),
    )
    const { errors } = await (query.startsWith('subscription') ? firstOf : api.execute)(token, query, used)
    const code = errors?.[0]?.extensions.code
    return code === undefined ? '.' : (letters[String(code)] ?? ` ${code} `)
  }

  it.each(Object.entries(operations))(
    'has the expected outcome for each caller: %s',
    async (name, operation) => {
      let outcomes = ''
      for (const { token, user } of cast) outcomes += await attempt(name, operation, token, user)
      expect(outcomes, callers.join('; ')).toBe(operation.expected)
    },
  )

  /**
   * The operations that a token for one environment can use, in addition to reads that every token can use.
   */
  const inOneEnvironment = [
    'environment',
    'environments',
    'project',
    'projectToken',
    'projects',
    'projectsByIds',
    'node',
    'nodes',
    'variableChanges',
    'variableCollectionUpsert',
    'variableDelete',
    'variableUpsert',
    'variables',
    'variablesUpsert',
  ]

  let ofEnvironment: ReturnType<typeof makeApiToken> | undefined

  it.each(aboutWorkspace)(
    'has the expected outcome with a token for one environment: %s',
    async (name, operation) => {
      ofEnvironment ??= makeApiToken(adminOf, { project: { id: p }, environment: { id: env } })
      const outcome = await attempt(name, operation, (await ofEnvironment).token, adminOf)
      if (inOneEnvironment.includes(name)) expect(outcome).toBe('.')
      else expect(outcome).not.toBe('.')
    },
  )

  describe('in a workspace that requires two-factor authentication', () => {
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
      weak = await made(false)
      strong = await made(true)
    })
    // The requirement is set before each test, because one of the operations removes it.
    beforeEach(() => ask(true))
    afterAll(() => ask(false))

    it.each(aboutWorkspace)(
      'rejects tokens without two-factor authentication: %s',
      async (name, operation) => {
        for (const { token } of weak) expect(await attempt(name, operation, token, adminOf)).not.toBe('.')
        const asElsewhere = [4, 5, 6].map((caller) => operation.expected[caller])
        for (const [index, { token }] of strong.slice(0, 3).entries()) {
          expect(await attempt(name, operation, token, adminOf)).toBe(asElsewhere[index])
        }
      },
    )

    it.each([
      '{ me { workspaces { id name } } }',
      '{ projects { edges { node { id name } } } }',
      '{ externalWorkspaces { name projects { name } } }',
    ])('omits the workspace for a token without two-factor authentication: %s', async (query) => {
      const guest = await makeUser()
      await prisma().projectMember.create({ data: { projectId: p, userId: guest.id, role: 'VIEWER' } })
      for (const user of [adminOf, guest]) {
        const seen = async (twoFactor: boolean) =>
          JSON.stringify((await api.execute((await makeApiToken(user, { twoFactor })).token, query)).data)
        const [without, withTwo] = [await seen(false), await seen(true)]
        expect(without).not.toContain(w)
        expect(without).not.toContain(p)
        if (query.includes('projects {') && user === guest) expect(withTwo).not.toBe(without)
      }
    })
  })
})
