import { afterAll, expect, it } from 'vitest'
import { setPolicy } from '@/lib/features/app-access/policy'
import { removeManagedApp } from '@/lib/features/sso/managed-apps'
import { makeApiToken } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'
import { sessionOf } from '@/lib/testing/installation-world'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { makeSsoWorkspace, startProviders } from '@/lib/testing/sso-world'

const { owner: vendor } = await startOAuthWorld()
const providers = await startProviders()
afterAll(() => providers.close())
const api = serveGraphQL()

it('admins see the users of an SSO-managed app, and these users see the app, from its first token until it is removed', async () => {
  const { owner, workspaceId, user, app, redeem, assertion } = await makeSsoWorkspace(
    await providers.make(),
    vendor,
  )
  const [admin, grace] = [await makeApiToken(owner.user), await makeApiToken(user)]
  const users = async () => {
    const { data, errors } = await api.execute(
      admin.token,
      `query ($w: ID!, $id: ID!) { workspaceManagedAppUsers(workspaceId: $w, clientId: $id, first: 10) {
        totalCount nodes { userId name createdAt lastUsedAt } pageInfo { hasNextPage endCursor } } }`,
      { w: workspaceId, id: app.clientId },
    )
    expect(errors).toBeUndefined()
    return data.workspaceManagedAppUsers
  }
  const own = async () => {
    const { data, errors } = await api.execute(
      grace.token,
      '{ managedApps { totalCount nodes { clientId scopes note workspaceId workspace { name } createdAt } } }',
    )
    expect(errors).toBeUndefined()
    return data.managedApps
  }
  expect([(await users()).totalCount, (await own()).totalCount]).toEqual([0, 0])
  expect((await redeem(await assertion({ resource: undefined }))).status).toBe(200)
  expect(await users()).toMatchObject({
    totalCount: 1,
    nodes: [{ userId: user.id, name: user.name, createdAt: expect.any(String) }],
    pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
  })
  const mine = {
    clientId: app.clientId,
    scopes: ['workspace:member'],
    workspaceId,
    workspace: { name: owner.workspace.name },
  }
  expect(await own()).toMatchObject({ totalCount: 1, nodes: [{ ...mine, note: null }] })
  await setPolicy(sessionOf(owner), workspaceId, { policy: 'OWN' })
  expect(await own()).toMatchObject({ nodes: [{ ...mine, note: expect.any(String) }] })
  await removeManagedApp(sessionOf(owner), workspaceId, app.clientId)
  expect([(await users()).totalCount, (await own()).totalCount]).toEqual([0, 0])
})
