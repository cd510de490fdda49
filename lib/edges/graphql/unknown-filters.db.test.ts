import { beforeAll, describe, expect, it } from 'vitest'
import { createWebhook } from '@/lib/features/webhooks/change-webhook'
import { makeApiToken, makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** Filters that can never match, which return an error instead of an empty list. */
const api = serveGraphQL()
let token = ''
let workspaceId = ''
let ofWorkspace = ''
let ofApp = ''

beforeAll(async () => {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  workspaceId = workspace.id
  const account = await makeApiToken(user)
  token = account.token
  const { client } = await makeClient(workspace)
  const actor = {
    kind: 'account-token',
    userId: user.id,
    tokenId: account.row.id,
    role: 'ADMIN',
  } as const
  const url = 'https://hooks.example.com/'
  ofWorkspace = (await createWebhook(actor, { workspaceId, url, events: ['project.*'] })).webhook.id
  const endpoint = { workspaceId, clientId: client.id, url, events: ['app.*'] }
  ofApp = (await createWebhook(actor, endpoint)).webhook.id
})

const logs = (filter: object) =>
  api.execute(
    token,
    'query ($w: ID!, $filter: AuditLogFilter) { auditLogs(workspaceId: $w, filter: $filter) { totalCount } }',
    { w: workspaceId, filter },
  )

const deliveries = (webhookId: string, event: string) =>
  api.execute(
    token,
    'query ($id: ID!, $event: String) { webhookDeliveries(webhookId: $id, event: $event) { totalCount } }',
    { id: webhookId, event },
  )

const wrong = (field: string, words: string) => ({
  message: expect.stringContaining(words),
  extensions: { code: 'BAD_USER_INPUT', field },
})

describe('an audit log', () => {
  it.each([
    [{ action: 'project.create' }, 'action', 'Valid values: project.created, project.deleted'],
    [{ action: 'projects' }, 'action', 'Valid values begin with api, api_token, app,'],
    [{ resourceType: 'projects' }, 'resourceType', 'Valid values: api, api_token, app,'],
    [{ since: '2026-02-02T00:00:00Z', until: '2026-02-02T00:00:00Z' }, 'until', 'must be after the start'],
    [{ since: '2026-02-02T00:00:00Z', until: '2026-02-01T00:00:00Z' }, 'until', 'must be after the start'],
  ])('cannot be read with the filter %j, and the error explains why', async (filter, field, words) => {
    const { data, errors } = await logs(filter)
    expect(data.auditLogs).toBeNull()
    expect(errors?.[0]).toMatchObject(wrong(field, words))
  })

  it.each([
    { action: 'project' },
    { action: 'authorization.revoked_after_token_reuse' },
    { resourceType: 'user' },
    { since: '2026-02-01T00:00:00Z', until: '2026-02-02T00:00:00Z' },
  ])('is returned empty, without an error, if no event matches a valid filter: %j', async (filter) => {
    const { data, errors } = await logs(filter)
    expect(errors).toBeUndefined()
    expect(data.auditLogs.totalCount).toBe(0)
  })

  it('cannot be subscribed to with an invalid filter', async () => {
    const following = await api.follow(
      token,
      'subscription ($w: ID!) { auditLogCreated(workspaceId: $w, filter: { action: "project.create" }) { id } }',
      { w: workspaceId },
    )
    const answer = await following.next()
    expect(answer?.data.errors[0]).toMatchObject(wrong('action', 'Valid values: project.created'))
  })
})

describe('the deliveries of a webhook', () => {
  it('can be filtered only by an event type of their workspace or app', async () => {
    for (const [id, event] of [
      [ofWorkspace, 'project.created'],
      [ofWorkspace, 'webhook.test'],
      [ofApp, 'app.authorization_updated'],
    ] as const) {
      const { data } = await deliveries(id, event)
      expect(data.webhookDeliveries).toEqual({ totalCount: 0 })
    }
    const unknown = await deliveries(ofWorkspace, 'project.made')
    expect(unknown.errors?.[0]).toMatchObject(wrong('event', 'Valid values: project.created'))
    const ofAnother = await deliveries(ofApp, 'project.created')
    expect(ofAnother.errors?.[0]).toMatchObject(wrong('event', 'Valid values begin with app, webhook.'))
  })
})
