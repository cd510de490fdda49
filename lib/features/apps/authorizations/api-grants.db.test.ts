import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { revokeForAllUsers } from '@/lib/features/app-access/decide'
import { listAppUsers } from '@/lib/features/app-access/list-app-users'
import { listInstalled } from '@/lib/features/app-access/list-installed'
import { makeApi } from '@/lib/testing/api-world'
import { makeProject } from '@/lib/testing/factories'
import { sessionOf } from '@/lib/testing/installation-world'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'
import { readAuthorization } from './list-authorizations'
import { saveAuthorization, updateSelection } from './save-authorization'

await startOAuthWorld()

const first = { limit: 10, backward: false, after: null, before: null }

/**
 * Creates an owner with three projects. The owner granted an app access to project P1 on this instance and to
 * project P2 in an API.
 */
async function makeGranted() {
  const owner = await makeOwner()
  const app = await owner.makeApp()
  const api = await makeApi()
  const [p1, p2, p3] = [owner.project, await makeProject(owner.workspace), await makeProject(owner.workspace)]
  const actor = sessionOf(owner)
  const save = (scopes: string[], apiScopes: string[], projectIds: string[]) =>
    saveAuthorization(actor, { clientId: app.clientId, scopes, apiScopes, workspaceIds: [], projectIds })
  await save(['openid', 'project:admin'], [], [p1.id])
  const { id } = await save(['openid'], api.names, [p2.id])
  const stored = async () => {
    const row = await prisma().authorization.findUniqueOrThrow({
      where: { id },
      include: { apiGrants: true },
    })
    return [row.projectIds, row.apiGrants.map(({ projectIds }) => projectIds)]
  }
  return { owner, actor, app, api, id, p1, p2, p3, save, stored }
}

describe('the selection for an API', () => {
  it('is stored separately from the selection for the instance, and one consent can replace both', async () => {
    const { stored, p1, p2, p3, save, api } = await makeGranted()
    expect(await stored()).toEqual([[p1.id], [[p2.id]]])
    await save(['openid', 'project:admin'], api.names, [p3.id])
    expect(await stored()).toEqual([[p3.id], [[p3.id]]])
  })

  it('gains the projects that the user adds to the app’s combined list and loses those that the user removes from it', async () => {
    const { stored, actor, id, p1, p2, p3, api } = await makeGranted()
    const shownScopes = ['openid', 'project:admin', ...api.names]
    await updateSelection(actor, id, { projectIds: [p1.id, p2.id], shownScopes })
    expect(await stored()).toEqual([[p1.id], [[p2.id]]])
    await updateSelection(actor, id, { projectIds: [p1.id, p2.id, p3.id] })
    expect(await stored()).toEqual([[p1.id, p3.id], [[p2.id, p3.id]]])
    await updateSelection(actor, id, { projectIds: [p3.id] })
    expect(await stored()).toEqual([[p3.id], [[p3.id]]])
    const outdated = updateSelection(actor, id, {
      projectIds: [p3.id],
      shownScopes: ['openid', 'project:admin'],
    })
    await expect(outdated).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(updateSelection(actor, id, {})).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  })

  it('cannot be empty or contain another user’s project', async () => {
    const { save, api } = await makeGranted()
    const stranger = await makeOwner()
    await expect(save(['openid'], api.names, [stranger.project.id])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(save(['openid'], api.names, [])).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  })

  it('is rejected for an app that the workspace’s policy does not allow, but kept for the workspace’s own app', async () => {
    const { actor, owner, id, p1, api } = await makeGranted()
    await prisma().workspace.update({ where: { id: owner.workspace.id }, data: { appPolicy: 'APPROVED' } })
    const other = await makeOwner()
    const app = await other.makeApp()
    const apiScopes = api.names
    const input = { clientId: app.clientId, scopes: ['openid'], apiScopes, projectIds: [p1.id] }
    await expect(saveAuthorization(actor, input)).rejects.toMatchObject({ code: 'APP_NOT_APPROVED' })
    expect((await readAuthorization(actor, id)).projects).toHaveLength(2)
  })
})

describe('a grant for an API', () => {
  it('is shown to the user with the API, its scopes, and all shared projects', async () => {
    const { actor, id, api, p1, p2 } = await makeGranted()
    const seen = await readAuthorization(actor, id)
    expect(seen.apis.map((each) => [each.api.id, each.scopes.map(({ name }) => name)])).toEqual([
      [api.id, api.names],
    ])
    expect(new Set(seen.projects.map((each) => each.id))).toEqual(new Set([p1.id, p2.id]))
  })

  it('is listed for the workspace’s admins, who can revoke it', async () => {
    const { actor, owner, app, api, stored, p1, p2 } = await makeGranted()
    const { rows } = await listInstalled(actor, owner.workspace.id, first, { clientId: app.clientId })
    expect(rows[0]).toMatchObject({ users: 1, projects: 2, scopes: [...api.names, 'project:admin'] })
    const users = await listAppUsers(actor, owner.workspace.id, app.clientId, first)
    expect(users.rows[0]?.scopes).toEqual(['openid', 'project:admin', ...api.names])
    expect(new Set(users.rows[0]?.projects.map(({ id }) => id))).toEqual(new Set([p1.id, p2.id]))
    expect(await revokeForAllUsers(actor, owner.workspace.id, app.clientId)).toBe(1)
    expect(await stored()).toEqual([[], [[]]])
    expect(await revokeForAllUsers(actor, owner.workspace.id, app.clientId)).toBe(0)
    expect((await listAppUsers(actor, owner.workspace.id, app.clientId, first)).rows).toEqual([])
  })
})
