import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { mostPreviewed, previewPolicy } from '@/lib/features/app-access/policy'
import { countStatements } from '@/lib/testing/count-statements'
import { makeApiToken, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** The policy preview in a workspace with thousands of apps. */
const api = serveGraphQL()

const preview = `query ($w: ID!) { workspaceAppPolicyPreview(workspaceId: $w, policy: OWN, last: 1) {
  totalCount nodes { name managed } } }`

it('the policy preview reads thousands of apps without a statement for each app, but fails for more than 5,000', async () => {
  const ada = await makeUser()
  const workspace = await makeWorkspace([[ada, 'ADMIN']])
  const { token } = await makeApiToken(ada, { workspace })
  const admin = { kind: 'session', userId: ada.id, sessionId: 's', instanceAdmin: false } as const
  const letIn = async (from: number, to: number) => {
    const ids = Array.from({ length: to - from }, (_, at) => `${workspace.id}-${from + at}`)
    const client = { type: 'WEB' as const, name: 'One of many', redirectUris: [] }
    await prisma().oAuthClient.createMany({ data: ids.map((id) => ({ id, ...client })) })
    const given = { workspaceId: workspace.id, scopes: ['workspace:viewer'] }
    await prisma().managedApp.createMany({ data: ids.map((clientId) => ({ clientId, ...given })) })
  }

  await letIn(0, 2_000)
  const { value, statements } = await countStatements(() => previewPolicy(admin, workspace.id, 'OWN'))
  expect(value).toHaveLength(2_000)
  const sent = (part: string) => statements.filter((text) => text.includes(part)).length
  expect([sent('FROM managed_apps'), sent('w.require_two_factor')]).toEqual([1, 1])
  const { data, extensions } = await api.execute(token, preview, { w: workspace.id })
  expect(data.workspaceAppPolicyPreview).toEqual({
    totalCount: 2_000,
    nodes: [{ name: 'One of many', managed: true }],
  })
  expect(extensions.cost?.requested).toBeGreaterThan(1_000)

  await letIn(2_000, mostPreviewed + 1)
  expect(await previewPolicy(admin, workspace.id, 'OWN')).toBeNull()
  const refused = await api.execute(token, preview, { w: workspace.id })
  expect(refused.errors).toMatchObject([
    { message: expect.stringContaining('more than 5000 apps'), extensions: { code: 'QUERY_TOO_COMPLEX' } },
  ])
})
