import { beforeEach, describe, expect, it } from 'vitest'
import { makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { allowManagedApp, listManagedApps, removeManagedApp } from './managed-apps'

let admin: { kind: 'session'; userId: string; sessionId: string; instanceAdmin: boolean }
let workspace: { id: string }
beforeEach(async () => {
  const ada = await makeUser()
  admin = { kind: 'session', userId: ada.id, sessionId: 's', instanceAdmin: false }
  workspace = await makeWorkspace([[ada, 'ADMIN']])
})
const page = { limit: 10, backward: false, after: null, before: null }

describe('an SSO-managed app', () => {
  it('can be allowed by its client ID, changed, listed, and removed', async () => {
    const { client } = await makeClient(undefined)
    const allow = (scopes: string[] | string, clientId = client.id) =>
      allowManagedApp(admin, workspace.id, { clientId, scopes })
    await allow('workspace:viewer\nworkspace:member')
    await allow(['workspace:viewer'])
    const { rows } = await listManagedApps(admin, workspace.id, page)
    expect(rows).toMatchObject([
      { clientId: client.id, scopes: ['workspace:viewer'], client: { name: client.name } },
    ])
    await removeManagedApp(admin, workspace.id, client.id)
    await expect(removeManagedApp(admin, workspace.id, client.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('must be a confidential client, with at least one workspace scope and no other scopes', async () => {
    const { client: cli } = await makeClient(undefined, { type: 'NATIVE' })
    const metadata = { token_endpoint_auth_method: 'none' }
    const { client: page } = await makeClient(undefined, { source: 'DYNAMIC', metadata })
    const { client } = await makeClient(undefined)
    for (const [clientId, scopes, field] of [
      [cli.id, ['workspace:viewer'], 'clientId'],
      [page.id, ['workspace:viewer'], 'clientId'],
      ['nobody', ['workspace:viewer'], 'clientId'],
      [client.id, [], 'scopes'],
      [client.id, ['email'], 'scopes'],
      [client.id, ['project:admin'], 'scopes'],
    ] as const) {
      const allow = allowManagedApp(admin, workspace.id, { clientId, scopes })
      await expect(allow, `${clientId} ${scopes}`).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        details: { field },
      })
    }
  })
})
