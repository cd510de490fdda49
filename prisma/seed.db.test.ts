import { expect, it } from 'vitest'
import { verifyPassword } from '@/lib/base/credentials/password'
import { prisma } from '@/lib/base/db/prisma'
import { removeDemo } from '@/lib/features/demo/remove-demo'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { seedDemo } from './seed'

it('the demo is created only once, with fixed roles and projects, and its password is returned only at creation', async () => {
  const [first, second] = [await seedDemo(), await seedDemo()]
  expect(first.created).toBe(true)
  expect(second).toMatchObject({ created: false })
  expect(second.password).toBeUndefined()

  const ada = await prisma().user.findUniqueOrThrow({ where: { email: 'ada@example.com' } })
  expect(ada.instanceAdmin).toBe(true)
  expect(await verifyPassword(ada.passwordHash, String(first.password))).toBe(true)

  const roles = await prisma().workspaceMember.findMany({
    where: { workspace: { slug: { in: ['acme', 'globex'] } } },
    select: { role: true, user: { select: { email: true } }, workspace: { select: { slug: true } } },
  })
  expect(roles.map((each) => `${each.workspace.slug} ${each.user.email} ${each.role}`).sort()).toEqual([
    'acme ada@example.com ADMIN',
    'acme edsger@example.com VIEWER',
    'acme grace@example.com MEMBER',
    'globex ada@example.com ADMIN',
  ])
  const projects = await prisma().project.findMany({
    select: { name: true, workspace: { select: { slug: true } }, members: { select: { role: true } } },
  })
  expect(projects.map((each) => `${each.workspace.slug} ${each.name} ${each.members.length}`).sort()).toEqual(
    ['acme Payments 0', 'acme Website 0', 'globex Compiler 1', 'globex Orbit 0'],
  )
})

it('the demo contains a month of data in chronological order, and its webhook is disabled', async () => {
  const acme = await prisma().workspace.findUniqueOrThrow({
    where: { slug: 'acme' },
    include: {
      webhooks: { include: { deliveries: true } },
      apiTokens: true,
      clients: { include: { usage: true, events: true, failures: true, authorizations: true } },
    },
  })
  expect(acme.demo).toBe(true)
  const [webhook] = acme.webhooks
  expect(webhook?.disabledAt).toBeTruthy()
  expect(new Set(webhook?.deliveries.map(({ status }) => status))).toEqual(new Set(['DELIVERED', 'FAILED']))
  expect(acme.apiTokens.map(({ name }) => name)).toEqual(['Nightly build'])
  const [app] = acme.clients
  expect([app?.usage.length, app?.failures.length, app?.authorizations.length]).toEqual([30, 3, 2])
  const variables = await prisma().variable.findMany({ select: { name: true, sealedValue: true } })
  expect(variables.length).toBeGreaterThan(10)
  const trail = await prisma().auditEvent.findMany({
    where: { workspaceId: acme.id },
    orderBy: { id: 'asc' },
  })
  expect(trail[0]?.action).toBe('workspace.created')
  // The order of IDs is the order of events, and no event is in the future.
  expect(trail.map(({ createdAt }) => createdAt)).toEqual(
    trail.map(({ createdAt }) => createdAt).sort((a, b) => +a - +b),
  )
  expect(Number(trail.at(-1)?.createdAt)).toBeLessThanOrEqual(Date.now())
})

it('the demo users get a changed DEMO_PASSWORD at the next start, but deleted demo data is not restored', async () => {
  await prisma().workspace.delete({ where: { slug: 'globex' } })
  expect(await seedDemo('chosen by the instance admin')).toMatchObject({ created: false })
  const grace = await prisma().user.findUniqueOrThrow({ where: { email: 'grace@example.com' } })
  expect(await verifyPassword(grace.passwordHash, 'chosen by the instance admin')).toBe(true)
  expect(await prisma().workspace.count({ where: { slug: 'globex' } })).toBe(0)
})

it('the demo can be removed only if the instance and other workspaces keep an admin, and is not created again', async () => {
  await expect(removeDemo()).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('grant-admin'),
  })
  const real = await makeUser({ instanceAdmin: true })
  const ada = await prisma().user.findUniqueOrThrow({ where: { email: 'ada@example.com' } })
  const theirs = await prisma().workspace.create({
    data: { slug: 'theirs', name: 'Theirs', members: { create: { userId: ada.id, role: 'ADMIN' } } },
  })
  await expect(removeDemo()).rejects.toMatchObject({ message: expect.stringContaining('“Theirs”') })
  await prisma().workspaceMember.create({
    data: { workspaceId: theirs.id, userId: real.id, role: 'ADMIN' },
  })
  expect(await removeDemo()).toEqual({
    users: ['Ada Lovelace', 'Grace Hopper', 'Edsger Dijkstra'],
    workspaces: ['Acme'],
  })
  expect(
    await prisma().user.findMany({ where: { email: { endsWith: '@example.com' }, demo: true } }),
  ).toEqual([])
  expect(await prisma().workspace.findMany({ where: { demo: true } })).toEqual([])
  expect(await prisma().oAuthClient.count({ where: { name: 'Release Radar' } })).toBe(0)
  expect(
    await prisma().auditEvent.count({ where: { details: { path: ['name'], equals: 'Release Radar' } } }),
  ).toBe(0)
  expect(await prisma().workspaceMember.count({ where: { workspaceId: theirs.id } })).toBe(1)
  expect(await seedDemo()).toMatchObject({ created: false })
  expect(await prisma().user.count({ where: { demo: true } })).toBe(0)
  expect(await removeDemo()).toEqual({ users: [], workspaces: [] })
})

it('the demo password does not apply to a user who signed up with a demo user’s email address', async () => {
  const stranger = await makeUser({ email: 'ada@example.com' })
  const grace = await makeUser({ email: 'grace@example.com' })
  await makeWorkspace([[grace, 'ADMIN']], { slug: 'acme' })
  expect(await seedDemo('chosen by the instance admin')).toMatchObject({ created: false })
  expect(await prisma().user.count({ where: { demo: true } })).toBe(0)
  expect(await prisma().workspace.count({ where: { demo: true } })).toBe(0)
  for (const { id, passwordHash } of [stranger, grace])
    expect(await prisma().user.findUniqueOrThrow({ where: { id } })).toMatchObject({ passwordHash })
})
