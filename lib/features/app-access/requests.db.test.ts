import { afterEach, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { readMailbox } from '@/lib/base/mail/send-mail'
import { settleBackgroundWork } from '@/lib/base/process/background'
import { kindOf } from '@/lib/features/notifications/notify'
import { createWebhook } from '@/lib/features/webhooks/change-webhook'
import { countPlaces } from '@/lib/features/workspaces/list-places'
import type { SessionActor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'
import { raceForLock } from '@/lib/testing/concurrency'
import { joinWorkspace, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { approveApp, blockApp, declineRequests, withdrawDecision } from './decide'
import { readInstalled } from './list-installed'
import { setPolicy } from './policy'
import { listRequestedApps, listRequests, markRequested, requestApproval } from './requests'

const session = (userId: string): SessionActor => ({
  kind: 'session',
  userId,
  sessionId: 's',
  instanceAdmin: false,
})

const page = { limit: 2, backward: false, after: null as string | null, before: null }

async function world() {
  const [ada, grace] = [await makeUser({ name: 'Ada' }), await makeUser({ name: 'Grace' })]
  const workspace = await makeWorkspace([
    [ada, 'ADMIN'],
    [grace, 'MEMBER'],
  ])
  const { client } = await makeClient(undefined, { name: 'Deployer' })
  const [admin, member] = [session(ada.id), session(grace.id)]
  await setPolicy(admin, workspace.id, { policy: 'APPROVED' })
  const asked = {
    clientId: client.id,
    workspaceId: workspace.id,
    scopes: ['openid', 'email', 'workspace:member'],
    reason: 'For the release on Friday',
  }
  const notificationsOf = async ({ userId }: SessionActor) =>
    (await prisma().notification.findMany({ where: { userId }, orderBy: { id: 'asc' } })).map(
      ({ title, body, ...row }) => ({ type: kindOf(row), title, body }),
    )
  return { admin, member, workspace, client, asked, notificationsOf }
}

it('a request to approve an app shows admins the user, the app, and the reason, and the user receives the decision', async () => {
  const { admin, member, workspace, client, asked, notificationsOf } = await world()
  await requestApproval(member, asked)
  await requestApproval(member, { ...asked, reason: 'For Monday' })
  expect((await listRequests(admin, workspace.id, page)).rows).toMatchObject([
    {
      clientId: client.id,
      name: 'Deployer',
      user: 'Grace',
      scopes: ['workspace:member'],
      reason: 'For Monday',
    },
  ])
  expect((await readInstalled(admin, workspace.id, client.id)).asked).toEqual(['workspace:member'])
  const title = `Grace requested Deployer for ${workspace.name}`
  expect(await notificationsOf(admin)).toMatchObject([
    { type: 'APP_REQUESTED', title, body: 'Reason: For the release on Friday' },
    { type: 'APP_REQUESTED', title, body: 'Reason: For Monday' },
  ])

  await declineRequests(admin, workspace.id, client.id, { word: 'Use the one we have' })
  expect((await listRequests(admin, workspace.id, page)).rows).toEqual([])
  await expect(declineRequests(admin, workspace.id, client.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await requestApproval(member, asked)
  await approveApp(admin, workspace.id, client.id, { scopes: ['workspace:member'] })
  expect((await listRequests(admin, workspace.id, page)).rows).toEqual([])
  expect(await notificationsOf(member)).toMatchObject([
    {
      type: 'APP_DECIDED',
      title: `Deployer was declined for ${workspace.name}`,
      body: 'The app won’t get access. Message from the admin: Use the one we have',
    },
    { type: 'APP_DECIDED', title: `Deployer was approved for ${workspace.name}` },
  ])
})

it('markRequested marks the workspaces where the user has an open request for the app', async () => {
  const { admin, member, workspace, client, asked } = await world()
  const place = { id: workspace.id, decides: false }
  const marked = async (actor: SessionActor) =>
    (await markRequested(actor.userId, client.id, [place])).map(({ requested }) => requested)
  expect(await marked(member)).toEqual([false])
  await requestApproval(member, asked)
  expect(await marked(member)).toEqual([true])
  expect(await marked(admin)).toEqual([false])
  await declineRequests(admin, workspace.id, client.id)
  expect(await marked(member)).toEqual([false])
})

it('a request to approve an app is accepted only from a user of the workspace, only for workspace or project scopes, and only if the app exists and needs approval', async () => {
  const { admin, member, workspace, client, asked } = await world()
  const stranger = session((await makeUser()).id)
  await expect(requestApproval(stranger, asked)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(requestApproval(member, { ...asked, scopes: ['email'] })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await expect(requestApproval(member, { ...asked, clientId: 'no-app' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  for (const policy of ['OPEN', 'OWN'] as const) {
    await setPolicy(admin, workspace.id, { policy })
    await expect(requestApproval(member, asked)).rejects.toMatchObject({ code: 'CONFLICT' })
  }
  await setPolicy(admin, workspace.id, { policy: 'APPROVED' })
  await blockApp(admin, workspace.id, client.id)
  await expect(requestApproval(member, asked)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(listRequests(member, workspace.id, page)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

it('members and external users can request more scopes for an approved app', async () => {
  const { admin, member, workspace, client, asked } = await world()
  await approveApp(admin, workspace.id, client.id, { scopes: ['workspace:viewer'] })
  await requestApproval(member, asked)
  const guest = await makeUser({ name: 'Edsger' })
  await makeProject(workspace, [[guest, 'MEMBER']])
  await requestApproval(session(guest.id), { ...asked, scopes: ['project:admin'] })
  expect((await listRequests(admin, workspace.id, page)).rows.map(({ user }) => user)).toEqual([
    'Grace',
    'Edsger',
  ])
})

it('each user can send up to 20 requests to approve an app per day', async () => {
  const { member, asked } = await world()
  const tries = Array.from({ length: 21 }, () => () => requestApproval(member, asked))
  const outcomes: string[] = []
  for (const ask of tries)
    outcomes.push(
      await ask().then(
        () => 'ok',
        (error) => error.code,
      ),
    )
  expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(20)
  expect(outcomes.at(-1)).toBe('RATE_LIMITED')
})

it('the list of requests is paged and sorted oldest first, and can be searched by app or user name', async () => {
  const { admin, member, workspace, asked } = await world()
  await requestApproval(member, asked)
  for (const name of ['Barbara', 'Edsger', 'Frances']) {
    const user = await makeUser({ name })
    await joinWorkspace(workspace, user, 'VIEWER')
    await requestApproval(session(user.id), asked)
  }
  const names = (rows: { user: string }[]) => rows.map(({ user }) => user)
  const first = await listRequests(admin, workspace.id, page)
  expect([names(first.rows), first.hasNextPage, await first.count()]).toEqual([['Grace', 'Barbara'], true, 4])
  const next = await listRequests(admin, workspace.id, { ...page, after: String(first.rows.at(-1)?.id) })
  expect([names(next.rows), next.hasNextPage]).toEqual([['Edsger', 'Frances'], false])
  const of = async (search: string) => names((await listRequests(admin, workspace.id, page, { search })).rows)
  expect(await of('franc')).toEqual(['Frances'])
  expect(await of('deploy')).toEqual(['Grace', 'Barbara'])
  expect(await of('100%')).toEqual([])
})

it('the admins’ list of requested apps has one entry per app, with the number of users, all requested scopes, and the latest reason', async () => {
  const { admin, member, workspace, client, asked } = await world()
  const { client: other } = await makeClient(undefined, { name: 'Calendar' })
  const users = await Promise.all(['Barbara', 'Edsger'].map((name) => makeUser({ name })))
  await requestApproval(member, asked)
  for (const { id } of users) {
    await joinWorkspace(workspace, { id }, 'VIEWER')
    await requestApproval(session(id), { ...asked, scopes: ['workspace:viewer'], reason: '' })
  }
  await requestApproval(member, { ...asked, clientId: other.id, reason: '' })
  const list = (search = '') => listRequestedApps(admin, workspace.id, page, { search })
  const { rows, count } = await list()
  expect(rows).toMatchObject([
    {
      clientId: client.id,
      users: 3,
      names: ['Grace', 'Barbara'],
      scopes: ['workspace:member', 'workspace:viewer'],
      reason: 'For the release on Friday',
    },
    { clientId: other.id, users: 1, names: ['Grace'], reason: '' },
  ])
  expect(await count()).toBe(2)
  expect((await list('edsger')).rows.map(({ name, users: all }) => [name, all])).toEqual([['Deployer', 3]])
  const ofOne = await listRequests(admin, workspace.id, { ...page, limit: 9 }, { clientId: client.id })
  expect(ofOne.rows.map(({ user, role }) => [user, role])).toEqual([
    ['Grace', 'MEMBER'],
    ['Barbara', 'VIEWER'],
    ['Edsger', 'VIEWER'],
  ])
  await declineRequests(admin, workspace.id, client.id)
  expect((await list()).rows.map(({ name }) => name)).toEqual(['Calendar'])
  await expect(listRequestedApps(member, workspace.id, page)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

it('the count in the navigation rail is the number of apps with open requests, for users who can decide about apps', async () => {
  const { admin, member, workspace, client, asked } = await world()
  const { client: other } = await makeClient(undefined, { name: 'Calendar' })
  const barbara = await makeUser({ name: 'Barbara' })
  await joinWorkspace(workspace, barbara, 'VIEWER')
  const counted = async (actor: SessionActor) =>
    (await countPlaces(actor, await requireWorkspace(actor, 'workspace:read', workspace.id)))?.requests
  expect(await counted(admin)).toBe(0)
  await requestApproval(member, asked)
  await requestApproval(session(barbara.id), asked)
  await requestApproval(member, { ...asked, clientId: other.id })
  expect([await counted(admin), await counted(member)]).toEqual([2, 0])
  await declineRequests(admin, workspace.id, client.id)
  expect(await counted(admin)).toBe(1)
  await approveApp(admin, workspace.id, other.id, { scopes: ['workspace:member'] })
  expect(await counted(admin)).toBe(0)
})

it('the policy OPEN approves the open requests for all apps that are not blocked, and notifies the users', async () => {
  const { admin, member, workspace, client, asked, notificationsOf } = await world()
  const { client: blocked } = await makeClient(undefined, { name: 'Calendar' })
  const barbara = await makeUser({ name: 'Barbara' })
  await joinWorkspace(workspace, barbara, 'VIEWER')
  await requestApproval(member, asked)
  await requestApproval(session(barbara.id), asked)
  await requestApproval(member, { ...asked, clientId: blocked.id })
  await blockApp(admin, workspace.id, blocked.id)
  const open = async () =>
    (await listRequestedApps(admin, workspace.id, page)).rows.map(({ name }) => name).sort()

  await setPolicy(admin, workspace.id, { policy: 'OWN' })
  expect(await open()).toEqual(['Calendar', 'Deployer'])
  await setPolicy(admin, workspace.id, { policy: 'OPEN' })
  expect(await open()).toEqual(['Calendar'])
  const title = `Deployer was approved for ${workspace.name}`
  expect(await notificationsOf(member)).toMatchObject([{ type: 'APP_DECIDED', title }])
  expect(await notificationsOf(session(barbara.id))).toMatchObject([{ type: 'APP_DECIDED', title }])
  const where = { workspaceId: workspace.id, action: 'app.request_approved' }
  const askedBy = expect.arrayContaining([member.userId, barbara.id])
  expect(await prisma().auditEvent.findMany({ where })).toMatchObject([
    { resourceId: client.id, details: { name: 'Deployer', askedBy } },
  ])
})

it('the policy OPEN closes the open requests for disabled apps without notifying the users', async () => {
  const { admin, member, workspace, client, asked, notificationsOf } = await world()
  await requestApproval(member, asked)
  await prisma().oAuthClient.update({ where: { id: client.id }, data: { disabledAt: new Date() } })
  await setPolicy(admin, workspace.id, { policy: 'OPEN' })
  expect((await listRequests(admin, workspace.id, page)).rows).toEqual([])
  expect(await notificationsOf(member)).toEqual([])
})

it('the policy OPEN leaves no request open that a user sends at the same moment', async () => {
  const { admin, member, workspace, asked } = await world()
  const held = 'SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE'
  const outcomes = await raceForLock(
    held,
    workspace.id,
    () => setPolicy(admin, workspace.id, { policy: 'OPEN' }),
    () => requestApproval(member, asked),
  )
  expect(outcomes).toEqual(['ok', 'CONFLICT'])
  expect((await listRequests(admin, workspace.id, page)).rows).toEqual([])
})

it('unblocking an app under the policy OPEN approves the open requests for it, but not for other blocked apps', async () => {
  const { admin, member, workspace, client, asked, notificationsOf } = await world()
  const { client: other } = await makeClient(undefined, { name: 'Calendar' })
  for (const clientId of [client.id, other.id]) {
    await requestApproval(member, { ...asked, clientId })
    await blockApp(admin, workspace.id, clientId)
  }
  await setPolicy(admin, workspace.id, { policy: 'OPEN' })
  expect(await notificationsOf(member)).toEqual([])
  await withdrawDecision(admin, workspace.id, client.id)
  expect((await listRequests(admin, workspace.id, page)).rows.map(({ name }) => name)).toEqual(['Calendar'])
  const title = `Deployer was approved for ${workspace.name}`
  expect(await notificationsOf(member)).toMatchObject([{ type: 'APP_DECIDED', title }])
})

afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
})

it('admins receive requests to approve an app by email, and the user who sent a request receives the decision by email', async () => {
  vi.stubEnv('SEED_DEMO', '1')
  resetConfig()
  const { admin, member, workspace, client, asked } = await world()
  const mailsTo = async ({ userId }: SessionActor) => {
    await settleBackgroundWork()
    const { email } = await prisma().user.findUniqueOrThrow({ where: { id: userId } })
    return (await readMailbox(email)).map(({ subject, text }) => ({ subject, text }))
  }
  await requestApproval(member, asked)
  const [toAdmin, ...noMore] = await mailsTo(admin)
  expect(noMore).toEqual([])
  expect(toAdmin?.subject).toContain('A member requested an app')
  expect(toAdmin?.text).toContain(`Grace requested Deployer for ${workspace.name}`)
  expect(toAdmin?.text).toContain('Reason: For the release on Friday')
  expect(toAdmin?.text).toContain(`/workspaces/${workspace.slug}/settings/apps/${client.id}`)
  expect(await mailsTo(member)).toEqual([])
  await declineRequests(admin, workspace.id, client.id, { word: 'Use the one we have' })
  const [declined] = await mailsTo(member)
  expect(declined?.subject).toContain('An admin answered your request')
  expect(declined?.text).toContain(`Deployer was declined for ${workspace.name}`)
  expect(declined?.text).toContain('Message from the admin: Use the one we have')
})

it('a workspace webhook gets a delivery for every request to approve an app, decision, and policy change', async () => {
  const { admin, member, workspace, client, asked } = await world()
  const url = 'https://hooks.example.test/apps'
  await createWebhook(admin, { workspaceId: workspace.id, url, events: ['app.*'] })
  await requestApproval(member, asked)
  await declineRequests(admin, workspace.id, client.id, { word: 'Not now' })
  await approveApp(admin, workspace.id, client.id, { scopes: ['workspace:viewer'] })
  await withdrawDecision(admin, workspace.id, client.id)
  await blockApp(admin, workspace.id, client.id)
  await withdrawDecision(admin, workspace.id, client.id)
  await setPolicy(admin, workspace.id, { policy: 'OWN' })
  await setPolicy(admin, workspace.id, { policy: 'APPROVED' })
  await requestApproval(member, asked)
  await setPolicy(admin, workspace.id, { policy: 'OPEN' })
  const sent = await prisma().webhookDelivery.findMany({
    where: { webhook: { workspaceId: workspace.id } },
    orderBy: { id: 'asc' },
  })
  expect(sent.map(({ event }) => event)).toEqual([
    'app.requested',
    'app.request_declined',
    'app.approved',
    'app.approval_withdrawn',
    'app.blocked',
    'app.unblocked',
    'app.policy_changed',
    'app.policy_changed',
    'app.requested',
    'app.policy_changed',
    'app.request_approved',
  ])
  expect(sent[0]?.payload).toMatchObject({
    data: { workspaceId: workspace.id, resource: { id: client.id }, details: { name: 'Deployer' } },
  })
})
