import { beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import type { SessionActor } from '@/lib/policy/actor'
import { countStatements } from '@/lib/testing/count-statements'
import { makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { readOverview } from './read-overview'

type User = Awaited<ReturnType<typeof makeUser>>

const actorOf = ({ id }: User): SessionActor => ({
  kind: 'session',
  userId: id,
  sessionId: 'none',
  instanceAdmin: false,
  twoFactor: true,
})
const everything = { apps: true, tokens: true, members: true }
const hour = 3_600_000

let admin: User
let member: User
let workspace: { id: string }
let elsewhere: { id: string }

const addToken = (name: string, user: User, place: object, hours: number | null) =>
  prisma().apiToken.create({
    data: {
      kind: 'projectId' in place ? 'PROJECT' : 'WORKSPACE',
      name,
      hash: Buffer.from(name.padEnd(32, '.')),
      lastFour: '4f2a',
      role: 'VIEWER',
      userId: user.id,
      expiresAt: hours === null ? null : new Date(Date.now() + hours * hour),
      ...place,
    },
  })

beforeAll(async () => {
  ;[admin, member] = [await makeUser({ name: 'Ada' }), await makeUser({ name: 'Grace' })]
  workspace = await makeWorkspace([
    [admin, 'ADMIN'],
    [member, 'MEMBER'],
  ])
  elsewhere = await makeWorkspace([[admin, 'ADMIN']])
  const project = await makeProject(workspace, [], { name: 'Payments' })
  await addToken('Nightly export', admin, { workspaceId: workspace.id }, 72)
  await addToken('Of a project', member, { projectId: project.id }, 24)
  await addToken('Over since yesterday', admin, { workspaceId: workspace.id }, -24)
  await addToken('Long over', admin, { workspaceId: workspace.id }, -24 * 30)
  await addToken('Next year', admin, { workspaceId: workspace.id }, 24 * 300)
  await addToken('Without expiry', admin, { workspaceId: workspace.id }, null)
  await addToken('Elsewhere', admin, { workspaceId: elsewhere.id }, 24)

  const [refused, quiet, foreign] = [
    (await makeClient(workspace, { name: 'Deploy Bot' })).client,
    (await makeClient(workspace, { name: 'Quiet' })).client,
    (await makeClient(elsewhere, { name: 'Of others' })).client,
  ]
  const failure = { endpoint: 'token', error: 'invalid_client', description: 'invalid_client' }
  const at = (hours: number) => new Date(Date.now() - hours * hour)
  await prisma().appFailure.createMany({
    data: [
      { clientId: refused.id, ...failure, reason: 'The secret is wrong.', createdAt: at(30) },
      { clientId: refused.id, ...failure, reason: 'The secret was revoked.', createdAt: at(1) },
      { clientId: quiet.id, ...failure, reason: 'Weeks ago.', createdAt: at(24 * 20) },
      { clientId: foreign.id, ...failure, reason: 'Not ours.', createdAt: at(1) },
    ],
  })
  const today = new Date(new Date().toISOString().slice(0, 10))
  await prisma().appUsage.createMany({
    data: [
      { clientId: refused.id, day: today, authorizations: 3, requests: 100, errors: 2 },
      { clientId: quiet.id, day: today, authorizations: 1, requests: 20 },
      { clientId: foreign.id, day: today, authorizations: 50 },
    ],
  })
})

describe('the overview of a workspace', () => {
  it('contains the number of members, projects, and apps, and the daily usage of the workspace’s own apps', async () => {
    const { counts, days } = await readOverview(actorOf(admin), workspace.id, everything)
    expect(counts).toEqual({ members: 2, projects: 1, apps: 2 })
    expect(days).toHaveLength(14)
    expect(days.at(-1)).toMatchObject({ authorizations: 4, requests: 120, errors: 2 })
    expect(days[0]).toMatchObject({ authorizations: 0, requests: 0, errors: 0 })
  })

  it('lists the apps with failed requests in the past week, each with its failure count and latest failure reason', async () => {
    const { refused } = await readOverview(actorOf(admin), workspace.id, everything)
    expect(refused.total).toBe(1)
    expect(refused.rows.map(({ name, times, why }) => [name, times, why])).toEqual([
      ['Deploy Bot', 2, 'The secret was revoked.'],
    ])
  })

  it('contains tokens that expired recently or expire within a month, sorted by expiry', async () => {
    const { expiring } = await readOverview(actorOf(admin), workspace.id, everything)
    expect(expiring.rows.map(({ name, user, belongsTo, state }) => [name, user, belongsTo, state])).toEqual([
      ['Over since yesterday', 'Ada', null, 'ended'],
      ['Of a project', 'Grace', 'Payments', 'soon'],
      ['Nightly export', 'Ada', null, 'soon'],
    ])
    expect(expiring.pressing).toEqual({ tokens: 3, accountTokens: 0, secrets: 0 })
  })

  it('includes expiring app secrets, invitations, and the user’s account tokens', async () => {
    const place = await makeWorkspace([
      [admin, 'ADMIN'],
      [member, 'MEMBER'],
    ])
    const { client } = await makeClient(place, { name: 'Deploy Bot' })
    const at = (hours: number) => new Date(Date.now() + hours * hour)
    const secret = { clientId: client.id, lastFour: '9h87', createdById: admin.id }
    await prisma().oAuthClientSecret.createMany({
      data: [
        { ...secret, name: 'Blue', hash: Buffer.from('blue'), expiresAt: at(24 * 20) },
        { ...secret, hash: Buffer.from('lasting'), expiresAt: at(24 * 300) },
      ],
    })
    const invited = { workspaceId: place.id, role: 'MEMBER' as const, invitedById: admin.id }
    await prisma().invitation.createMany({
      data: [
        { ...invited, email: 'annie@example.com', hash: Buffer.from('annie'), expiresAt: at(20) },
        { ...invited, email: 'late@example.com', hash: Buffer.from('late'), expiresAt: at(24 * 6) },
      ],
    })
    const account = { kind: 'ACCOUNT' as const, name: 'Laptop', lastFour: '4f2b', role: 'VIEWER' as const }
    const token = await prisma().apiToken.create({
      data: { ...account, hash: Buffer.from('laptop'), userId: admin.id, expiresAt: at(24 * 3) },
    })
    const { expiring } = await readOverview(actorOf(admin), place.id, everything)
    expect(expiring.rows.map(({ kind, name, belongsTo, state }) => [kind, name, belongsTo, state])).toEqual([
      ['INVITATION', 'annie@example.com', null, 'soon'],
      ['ACCOUNT', 'Laptop', null, 'soon'],
      ['SECRET', 'Blue', 'Deploy Bot', 'later'],
    ])
    expect(expiring.pressing).toEqual({ tokens: 0, accountTokens: 1, secrets: 0 })
    const few = await readOverview(actorOf(member), place.id, { apps: false, tokens: false, members: false })
    expect(few.expiring.rows).toEqual([])
    await prisma().apiToken.delete({ where: { id: token.id } })
  })

  it('counts all items that need attention, including those that it does not return', async () => {
    const busy = await makeWorkspace([[admin, 'ADMIN']])
    const failure = { endpoint: 'token', error: 'invalid_client', description: 'invalid_client' }
    for (let n = 0; n < 4; n++) {
      const { client } = await makeClient(busy, { name: `Refused ${n}` })
      await prisma().appFailure.create({ data: { clientId: client.id, ...failure } })
    }
    for (let n = 0; n < 7; n++) await addToken(`Soon ${n}`, admin, { workspaceId: busy.id }, 24)
    await addToken('Next week', admin, { workspaceId: busy.id }, 24 * 8)
    const { refused, expiring } = await readOverview(actorOf(admin), busy.id, everything)
    expect([refused.rows.length, refused.total]).toEqual([3, 4])
    expect([expiring.rows.length, expiring.pressing.tokens]).toEqual([6, 7])
  })

  it('lists tokens and secrets that need attention before invitations', async () => {
    const place = await makeWorkspace([[admin, 'ADMIN']])
    await prisma().invitation.createMany({
      data: Array.from({ length: 6 }, (_, n) => ({
        workspaceId: place.id,
        role: 'MEMBER' as const,
        invitedById: admin.id,
        email: `guest${n}@example.com`,
        hash: Buffer.from(`guest ${n}`),
        expiresAt: new Date(Date.now() + 2 * hour),
      })),
    })
    await addToken('In three days', admin, { workspaceId: place.id }, 72)
    await addToken('In three weeks', admin, { workspaceId: place.id }, 24 * 21)
    const { expiring } = await readOverview(actorOf(admin), place.id, everything)
    expect(expiring.rows.map(({ kind }) => kind)).toEqual([...Array(5).fill('INVITATION'), 'WORKSPACE'])
    expect(expiring.pressing.tokens).toBe(1)
  })

  it('shows members only their own tokens and no app data', async () => {
    const { expiring, days, refused } = await readOverview(actorOf(member), workspace.id, {
      apps: false,
      tokens: false,
      members: false,
    })
    expect(expiring.rows.map(({ name }) => name)).toEqual(['Of a project'])
    expect([days, refused]).toEqual([[], { rows: [], total: 0 }])
  })

  it('is returned only to members of the workspace and is read with few database statements', async () => {
    await expect(readOverview(actorOf(member), elsewhere.id, everything)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const { statements } = await countStatements(() => readOverview(actorOf(admin), workspace.id, everything))
    expect(statements.length).toBeLessThanOrEqual(7)
  })
})
