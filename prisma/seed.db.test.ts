import { expect, it } from 'vitest'
import { verifyPassword } from '@/lib/base/credentials/password'
import { prisma } from '@/lib/base/db/prisma'
import { seedDemo } from './seed'

it('makes the demo once, with the roles of the contract and a password that is told once', async () => {
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

it('follows DEMO_PASSWORD at a later start, and brings nothing back that was deleted', async () => {
  await prisma().workspace.delete({ where: { slug: 'globex' } })
  expect(await seedDemo('chosen by the operator')).toMatchObject({ created: false })
  const grace = await prisma().user.findUniqueOrThrow({ where: { email: 'grace@example.com' } })
  expect(await verifyPassword(grace.passwordHash, 'chosen by the operator')).toBe(true)
  expect(await prisma().workspace.count({ where: { slug: 'globex' } })).toBe(0)
})
