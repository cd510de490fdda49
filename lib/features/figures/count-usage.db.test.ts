import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { listInstalled } from '@/lib/features/app-access/list-installed'
import { queryApi } from '@/lib/testing/app-requests'
import { makeInstallationWorld, sessionOf } from '@/lib/testing/installation-world'
import { signInToApp } from '@/lib/testing/oauth-flow'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'
import { workspaceRequestTally } from './count-usage'

const { owner } = await startOAuthWorld()
const first = { limit: 5, backward: false, after: null, before: null }

const said = async (of: Awaited<ReturnType<typeof makeOwner>>, clientId: string) =>
  (await listInstalled(sessionOf(of), of.workspace.id, first, { clientId })).rows[0]?.requests

const read = ({ workspace }: { workspace: { id: string } }) =>
  `{ workspace(workspaceId: "${workspace.id}") { id name projects(first: 5) { nodes { id name } } } }`

it('an app’s successful request is counted once for the workspace that it reads, and rejected requests are not counted', async () => {
  const app = await owner.makeApp()
  const { body } = await signInToApp(
    owner.browser,
    app,
    { scope: 'openid workspace:viewer' },
    { workspaces: [owner.workspace.id] },
  )
  const token = String(body.access_token)
  const elsewhere = await makeOwner()
  expect((await queryApi(token, read(owner))).code).toBe('ok')
  expect((await queryApi(token, `{ project(id: "${owner.project.id}") { id name } }`)).code).toBe('ok')
  expect((await queryApi(token, read(elsewhere))).code).not.toBe('ok')
  expect((await queryApi(token, '{ me { workspaces { id } } }')).code).toBe('ok')
  const rename = `mutation { workspaceUpdate(id: "${owner.workspace.id}", input: { name: "No" }) { id } }`
  expect((await queryApi(token, rename)).code).not.toBe('ok')
  expect(await said(owner, app.clientId)).toBe(2)
  expect(await said(elsewhere, app.clientId)).toBe(0)
})

it('requests by an app installation are counted, but a user’s own requests are not', async () => {
  const { app, token, customer } = await makeInstallationWorld(owner)
  const access = await token()
  for (let times = 0; times < 3; times++) await queryApi(access, read(customer))
  await listInstalled(sessionOf(customer), customer.workspace.id, first)
  expect(await said(customer, app.clientId)).toBe(3)
})

it('an app’s requests in a workspace are summed over the last 30 days, including counts that are not yet written', async () => {
  const app = await owner.makeApp()
  const day = (before: number) => new Date(Date.now() - before * 86_400_000)
  const key = { workspaceId: owner.workspace.id, clientId: app.clientId }
  await prisma().workspaceAppUsage.createMany({
    data: [
      { ...key, day: day(0), requests: 1 },
      { ...key, day: day(28), requests: 10 },
      { ...key, day: day(31), requests: 100 },
    ],
  })
  expect(await said(owner, app.clientId)).toBe(11)
  const today = day(0).toISOString().slice(0, 10)
  workspaceRequestTally.add('one', { ...key, day: today, requests: 2 })
  workspaceRequestTally.add('gone', { ...key, clientId: 'no-app', day: today, requests: 2 })
  expect(await said(owner, app.clientId)).toBe(13)
})
