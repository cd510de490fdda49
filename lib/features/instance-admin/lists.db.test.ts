import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { cursorOf, parsePage } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import type { SessionActor } from '@/lib/policy/actor'
import { makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { listInstanceEvents } from './list-instance-events'
import { listAllApps, listAllWorkspaces, listUsers } from './lists'
import { decideVerification, setAppDisabled } from './manage-apps'
import { suspendUser } from './manage-users'
import { getWorkspace, listWorkspaceMembers } from './workspaces'

const firstPage = parsePage({ first: 25 })
let instanceAdmin: SessionActor
let grace: { id: string }

beforeEach(async () => {
  const { id } = await makeUser({ instanceAdmin: true })
  instanceAdmin = { kind: 'session', userId: id, sessionId: randomUUID(), instanceAdmin: true }
  grace = await makeUser()
})

describe('the lists for instance admins', () => {
  it('return pages of apps in both directions without gaps or duplicates', async () => {
    const mark = randomUUID()
    const at = new Date('2026-01-01T00:00:00Z')
    await prisma().oAuthClient.createMany({
      // Several apps have the same creation time and are ordered by ID.
      data: Array.from({ length: 60 }, (_, n) => ({
        id: `${mark}-${n}`,
        name: `Paged ${n}`,
        type: 'NATIVE' as const,
        createdAt: new Date(at.getTime() + Math.floor(n / 7)),
      })),
    })
    const pages: string[][] = []
    let last: Awaited<ReturnType<typeof listAllApps>> | undefined
    for (let after: string | undefined, n = 0; n === 0 || after; n++) {
      last = await listAllApps(instanceAdmin, { search: mark }, { after })
      pages.push(last.apps.map(({ id }) => id))
      after = last.after
    }
    expect(pages.map(({ length }) => length)).toEqual([25, 25, 10])
    expect(new Set(pages.flat()).size).toBe(60)
    expect(await last?.count()).toBe(60)
    const back = await listAllApps(instanceAdmin, { search: mark }, { before: last?.before })
    expect(back.apps.map(({ id }) => id)).toEqual(pages[1])
    const first = await listAllApps(instanceAdmin, { search: mark }, { before: back.before })
    expect(first.apps.map(({ id }) => id)).toEqual(pages[0])
    expect(first).toMatchObject({ before: undefined, after: expect.any(String) })
    const nonsense = await listAllApps(instanceAdmin, { search: mark }, { before: 'nonsense' })
    expect(nonsense.apps.map(({ id }) => id)).toEqual(pages[0])
  })

  it('return the total number of matching users and workspaces on every page', async () => {
    const mark = randomUUID()
    for (let n = 0; n < 3; n++) {
      await makeUser({ name: `${mark} ${n}` })
      await makeWorkspace([], { name: `${mark} ${n}` })
    }
    for (const list of [listUsers, listAllWorkspaces]) {
      const first = await list(instanceAdmin, mark, parsePage({ first: 2 }))
      const after = cursorOf(first.rows.at(-1)?.id ?? '')
      const second = await list(instanceAdmin, mark, parsePage({ first: 2, after }))
      expect([first.rows.length, second.rows.length]).toEqual([2, 1])
      expect([await first.count(), await second.count()]).toEqual([3, 3])
    }
  })

  it('filter apps by state, such as disabled or verified', async () => {
    const mark = randomUUID()
    const { client: disabled } = await makeClient(undefined, { name: `${mark} a` })
    const { client: verified } = await makeClient(await makeWorkspace(), { name: `${mark} b` })
    await setAppDisabled(instanceAdmin, disabled.id, true)
    await decideVerification(instanceAdmin, verified.id, { decision: 'verify', version: 0 })
    const only = async (state: 'disabled' | 'verified') =>
      (await listAllApps(instanceAdmin, { search: mark, state })).apps.map(({ id }) => id)
    expect(await only('disabled')).toEqual([disabled.id])
    expect(await only('verified')).toEqual([verified.id])
  })

  it('filter events by user, workspace, and time', async () => {
    const workspace = await makeWorkspace()
    const { client } = await makeClient(workspace)
    await suspendUser(instanceAdmin, grace.id)
    await decideVerification(instanceAdmin, client.id, { decision: 'verify', version: 0 })
    const { email } = await prisma().user.findUniqueOrThrow({ where: { id: instanceAdmin.userId } })
    const actions = async (filter: Parameters<typeof listInstanceEvents>[1]) =>
      (await listInstanceEvents(instanceAdmin, filter, firstPage)).rows.map(({ action }) => action)
    const both = ['oauth_app.verified', 'user.suspended']
    expect(await actions({ user: email.toUpperCase() })).toEqual(both)
    expect(await actions({ user: instanceAdmin.userId, search: 'user.' })).toEqual(['user.suspended'])
    expect(await actions({ user: 'nobody@example.test' })).toEqual([])
    expect(await actions({ workspace: workspace.slug })).toEqual(['oauth_app.verified'])
    expect(await actions({ workspace: 'no-such-workspace' })).toEqual([])
    const hour = 3_600_000
    const [before, after] = [new Date(Date.now() - hour), new Date(Date.now() + hour)]
    expect(await actions({ user: email, since: before, until: after })).toEqual(both)
    expect(await actions({ user: email, since: after })).toEqual([])
    expect(await actions({ user: email, until: before })).toEqual([])
  })
})

it('a workspace is shown with its members, apps, and latest events', async () => {
  const workspace = await makeWorkspace([
    [grace, 'ADMIN'],
    [{ id: instanceAdmin.userId }, 'VIEWER'],
  ])
  const { client } = await makeClient(workspace)
  await decideVerification(instanceAdmin, client.id, { decision: 'verify', version: 0 })
  expect(await getWorkspace(instanceAdmin, workspace.id)).toMatchObject({
    slug: workspace.slug,
    counts: { members: 2, clients: 1, projects: 0 },
    apps: [{ id: client.id }],
    events: [{ action: 'oauth_app.verified' }],
  })
  const one = parsePage({ first: 1 })
  const { rows, hasNextPage } = await listWorkspaceMembers(instanceAdmin, workspace.id, one)
  expect(hasNextPage).toBe(true)
  const rest = parsePage({ first: 1, after: cursorOf(rows[0]?.id ?? '') })
  const next = await listWorkspaceMembers(instanceAdmin, workspace.id, rest)
  expect([...rows, ...next.rows].map(({ id }) => id).sort()).toEqual([grace.id, instanceAdmin.userId].sort())
  await expect(getWorkspace(instanceAdmin, randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(getWorkspace(instanceAdmin, 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
