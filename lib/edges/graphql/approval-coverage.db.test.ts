import { type GraphQLArgument, type GraphQLInputField, getNamedType, isInputObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { isDescribed } from '@/lib/features/approvals/describe-arguments'
import { readValues, sensitiveOperations } from '@/lib/policy/approvals'
import { makeAccessToken } from '@/lib/testing/access-token'
import { everyOperation, type Variables } from '@/lib/testing/every-operation'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { fresh, type World } from '@/lib/testing/fresh-rows'
import { serveGraphQL } from '@/lib/testing/graphql-server'
import { examples } from './reference/examples'
import { schema } from './schema'

/**
 * The mutations that require no approval, with the reasons. The test runs every mutation with every scope,
 * while every sensitive action requires approval. It fails for a new mutation until that mutation is
 * unavailable to apps, requires approval (lib/policy/approvals.ts), or is listed here.
 */
const needsNoApproval: Record<string, string> = {
  environmentCreate: 'Creates an empty environment in a project that the app can change.',
  environmentRename: 'Changes a label. The approval page shows recent renames and who made them.',
  notificationMarkRead: 'Changes only which notifications are marked as read. Approval requests stay open.',
  notificationRuleUpdate: 'Approval requests are shown regardless of the rules.',
  notificationsMarkAllRead:
    'Changes only which notifications are marked as read. Approval requests stay open.',
  notificationsMarkRead: 'Changes only which notifications are marked as read. Approval requests stay open.',
  projectCreate: 'Creates an empty project.',
  projectUpdate: 'Changes a label. The approval page shows recent renames and who made them.',
}

const api = serveGraphQL()
const mutations = schema.getMutationType()?.getFields() ?? {}

describe('a mutation', () => {
  let world: World
  let token: string
  let authorizationId: string
  const before = process.env.REQUIRE_APPROVAL

  beforeAll(async () => {
    process.env.REQUIRE_APPROVAL = 'all'
    resetConfig()
    const user = await makeUser()
    const workspace = await makeWorkspace([
      [user, 'ADMIN'],
      [await makeUser(), 'ADMIN'],
    ])
    const project = await makeProject(workspace)
    const { id: env } = await fresh.environment({ p: project.id } as World)
    world = { w: workspace.id, p: project.id, env, user, admin: user }
    const scopes = [
      'openid',
      'email',
      'profile',
      'workspace:admin',
      'project:admin',
      'ssh_keys',
      'notifications',
    ]
    const made = await makeAccessToken(user, scopes, { workspaces: [workspace], projects: [project] })
    token = made.token
    authorizationId = made.authorization.id
  })
  afterAll(() => {
    process.env.REQUIRE_APPROVAL = before ?? ''
    resetConfig()
  })

  const attempt = async (name: string): Promise<string> => {
    const { u: userId, ...more } = (await everyOperation[name]?.target?.(world)) ?? {}
    if (name === 'workspaceDelete') {
      const workspaceIds = [world.w, String(more.id)]
      await prisma().authorization.update({ where: { id: authorizationId }, data: { workspaceIds } })
    }
    const { w: workspaceId, p: projectId, env: environmentId } = world
    const given: Variables = { workspaceId, projectId, environmentId, userId, ...more }
    const query = examples[name] ?? ''
    const used = Object.fromEntries(
      Object.entries(given).filter(([each]) => new RegExp(`\\$${each}\\b`).test(query)),
    )
    const { errors } = await api.execute(token, query, used)
    return String(errors?.[0]?.extensions.code ?? 'done')
  }

  it.each(Object.keys(mutations))(
    'is forbidden for apps, requires approval, or has a documented exception: %s',
    async (name) => {
      const expected = sensitiveOperations.includes(name)
        ? 'APPROVAL_REQUIRED'
        : needsNoApproval[name]
          ? 'done'
          : 'FORBIDDEN'
      expect(await attempt(name)).toBe(expected)
    },
  )

  it('is listed at most once, either as sensitive or as an exception, and every listed mutation exists', () => {
    const named = [
      ...sensitiveOperations.filter((name) => name !== readValues),
      ...Object.keys(needsNoApproval),
    ]
    expect(named.filter((name) => !(name in mutations))).toEqual([])
    expect(new Set(named).size).toBe(named.length)
  })

  const leaves = (args: readonly (GraphQLArgument | GraphQLInputField)[]): string[] =>
    args.flatMap(({ name, type }) => {
      const input = getNamedType(type)
      // For a list of names and values, only the names are shown.
      return isInputObjectType(input) && name !== 'variables'
        ? leaves(Object.values(input.getFields()))
        : [name]
    })

  it.each(sensitiveOperations.filter((name) => name !== readValues))(
    'has a description for each of its arguments if it requires approval: %s',
    (name) => {
      expect(leaves(mutations[name]?.args ?? []).filter((each) => !isDescribed(each))).toEqual([])
    },
  )
})
