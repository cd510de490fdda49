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
 * Every mutation with every scope, where every sensitive action requires approval. A new mutation fails here until someone decides:
 * it is refused to apps, it requires approval (lib/policy/approvals.ts), or it is listed below with the reason why not.
 */
const needsNoApproval: Record<string, string> = {
  environmentCreate: 'Creates an empty environment, in a project that the app can change.',
  environmentRename: 'Changes a label. The approval page shows recent renames with who made them.',
  notificationMarkRead: 'Changes what the user sees as read. An approval request stays open all the same.',
  notificationRuleUpdate: 'Approval requests are shown under any rules.',
  notificationsMarkAllRead:
    'Changes what the user sees as read. An approval request stays open all the same.',
  notificationsMarkRead: 'Changes what the user sees as read. An approval request stays open all the same.',
  projectCreate: 'Creates an empty project.',
  projectUpdate: 'Changes a label. The approval page shows recent renames with who made them.',
}

const api = serveGraphQL()
const mutations = schema.getMutationType()?.getFields() ?? {}

describe('every mutation', () => {
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
    '%s is forbidden for apps, requires approval, or has a documented exception',
    async (name) => {
      const expected = sensitiveOperations.includes(name)
        ? 'APPROVAL_REQUIRED'
        : needsNoApproval[name]
          ? 'done'
          : 'FORBIDDEN'
      expect(await attempt(name)).toBe(expected)
    },
  )

  it('appears once in the list and in the schema', () => {
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
      // A list of names and values is shown by its names.
      return isInputObjectType(input) && name !== 'variables'
        ? leaves(Object.values(input.getFields()))
        : [name]
    })

  it.each(sensitiveOperations.filter((name) => name !== readValues))(
    '%s describes each of its arguments',
    (name) => {
      expect(leaves(mutations[name]?.args ?? []).filter((each) => !isDescribed(each))).toEqual([])
    },
  )
})
