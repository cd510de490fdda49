import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { eventListeners, registerEventListeners } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { makeAccessToken } from '@/lib/testing/access-token'
import { joinWorkspace, makeApiToken, makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'
import { searchUsers } from './list-users'
import { revokeAllUsers, revokeUser } from './revoke-users'

const api = serveGraphQL()
const first = { number: 1, size: 25 }

const session = ({ id }: { id: string }): Actor => ({
  kind: 'session',
  userId: id,
  sessionId: randomUUID(),
  instanceAdmin: false,
})

async function vendor() {
  const admin = await makeUser()
  const workspace = await makeWorkspace([[admin, 'ADMIN']])
  const { client } = await makeClient(workspace)
  return { admin, actor: session(admin), workspace, client }
}

/** Authorizes an app as a user. Returns the user and the app's token. */
async function letIn(client: { id: string }, scopes: string[], user?: { id: string }) {
  const who = user ?? (await makeUser())
  const made = await makeAccessToken(who, scopes)
  await prisma().authorization.update({ where: { id: made.authorization.id }, data: { clientId: client.id } })
  return { ...made, user: await prisma().user.findUniqueOrThrow({ where: { id: who.id } }) }
}

const works = async (token: string) => !(await api.execute(token, '{ me { id } }', {})).errors

describe('the users of an app', () => {
  it('are shown with the details that their granted scopes allow, or with all details if they are members of the app’s workspace', async () => {
    const { actor, client, workspace } = await vendor()
    const stranger = await letIn(client, ['openid'])
    const named = await letIn(client, ['openid', 'profile'])
    const mailed = await letIn(client, ['openid', 'email'])
    const colleague = await makeUser()
    await joinWorkspace(workspace, colleague, 'VIEWER')
    const own = await letIn(client, ['openid'], colleague)
    const { rows, total } = await searchUsers(actor, client.id, '', first)
    expect(total).toBe(4)
    expect(rows.map(({ userId, name, email }) => [userId, name, email])).toEqual([
      [own.user.id, own.user.name, own.user.email],
      [mailed.user.id, null, mailed.user.email],
      [named.user.id, named.user.name, null],
      [stranger.user.id, null, null],
    ])
  })

  it('can be searched only by the details that are shown', async () => {
    const { admin, actor, client } = await vendor()
    const hidden = await letIn(client, ['openid'])
    const mailed = await letIn(client, ['openid', 'email'])
    const find = async (search: string) =>
      (await searchUsers(actor, client.id, search, first)).rows.map(({ userId }) => userId)
    expect(await find(hidden.user.email)).toEqual([])
    expect(await find(hidden.user.name)).toEqual([])
    expect(await find(hidden.user.id)).toEqual([hidden.user.id])
    expect(await find(mailed.user.email.toUpperCase())).toEqual([mailed.user.id])
    expect(await find('%')).toEqual([])
    const { token } = await makeApiToken(admin)
    const list =
      'query ($id: ID!, $s: String) { oauthAppUsers(id: $id, search: $s) { totalCount nodes { userId } } }'
    const findByApi = async (s: string) =>
      (await api.execute(token, list, { id: client.id, s })).data.oauthAppUsers
    expect(await findByApi(hidden.user.email)).toEqual({ totalCount: 0, nodes: [] })
    expect(await findByApi(` ${hidden.user.id} `)).toEqual({
      totalCount: 1,
      nodes: [{ userId: hidden.user.id }],
    })
    expect((await findByApi('')).totalCount).toBe(2)
  })

  it('lose access individually when an admin revokes it, and other users’ tokens stay valid', async () => {
    const { actor, client, workspace } = await vendor()
    const [gone, stays] = [await letIn(client, ['openid']), await letIn(client, ['openid'])]
    expect(await works(gone.token)).toBe(true)
    await revokeUser(actor, client.id, gone.authorization.userId)
    expect([await works(gone.token), await works(stays.token)]).toEqual([false, true])
    const events = await prisma().auditEvent.findMany({
      where: { OR: [{ workspaceId: workspace.id }, { userId: gone.user.id }] },
      select: { action: true, resourceId: true, userId: true },
      orderBy: { id: 'asc' },
    })
    expect(events).toEqual([
      {
        action: 'authorization.revoked_by_app',
        resourceId: gone.authorization.id,
        userId: gone.user.id,
      },
      { action: 'oauth_app.access_revoked', resourceId: client.id, userId: actor.userId },
    ])
    await expect(revokeUser(actor, client.id, gone.authorization.userId)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('all lose access in one call, even if there are more than 100, and authorizations of other apps are kept', async () => {
    const { actor, client } = await vendor()
    const other = await letIn((await vendor()).client, ['openid'])
    const users = await Promise.all(Array.from({ length: 101 }, () => letIn(client, ['openid'])))
    expect(await revokeAllUsers(actor, client.id)).toBe(101)
    expect(await works((users[100] as (typeof users)[0]).token)).toBe(false)
    expect(await works(other.token)).toBe(true)
    expect(await revokeAllUsers(actor, client.id)).toBe(0)
  })

  it('keep access that is not yet revoked if the admin loses the role while revoking access for all users, and the completed revocations are recorded', async () => {
    const { actor, client, workspace } = await vendor()
    await Promise.all(Array.from({ length: 101 }, () => letIn(client, ['openid'])))
    const others = eventListeners()
    let revoked = 0
    registerEventListeners([
      ...others,
      async (tx, _actor, { action }) => {
        if (action !== 'authorization.revoked_by_app' || ++revoked !== 100) return
        await tx.workspaceMember.updateMany({
          where: { workspaceId: workspace.id },
          data: { role: 'VIEWER' },
        })
      },
    ])
    const ended = revokeAllUsers(actor, client.id).finally(() => registerEventListeners(others))
    await expect(ended).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await prisma().authorization.count({ where: { clientId: client.id } })).toBe(1)
    const recorded = { workspaceId: workspace.id, action: 'oauth_app.access_revoked' }
    expect(await prisma().auditEvent.findMany({ where: recorded })).toMatchObject([
      { userId: actor.userId, resourceId: client.id, details: { users: 100 } },
    ])
  })

  it('are hidden from admins of another workspace, who cannot revoke their access', async () => {
    const { client } = await vendor()
    const user = await letIn(client, ['openid'])
    const { actor } = await vendor()
    await expect(searchUsers(actor, client.id, '', first)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(revokeAllUsers(actor, client.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const own = await vendor()
    await expect(revokeUser(own.actor, own.client.id, user.authorization.userId)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await works(user.token)).toBe(true)
  })
})
