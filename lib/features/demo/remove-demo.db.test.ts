import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { whileUncommitted } from '@/lib/testing/concurrency'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { removeDemo } from './remove-demo'

/**
 * Creates a demo user with a demo workspace and a personal workspace, and another user who is an instance
 * admin.
 */
async function world() {
  const [ada, real] = [await makeUser(), await makeUser({ instanceAdmin: true })]
  await prisma().user.update({ where: { id: ada.id }, data: { demo: true } })
  const acme = await makeWorkspace([[ada, 'ADMIN']], { name: 'Acme' })
  await prisma().workspace.update({ where: { id: acme.id }, data: { demo: true } })
  const own = await makeWorkspace([[ada, 'ADMIN']], { name: 'Ada’s own' })
  await prisma().workspace.update({ where: { id: own.id }, data: { personalOwnerId: ada.id } })
  return { ada, real, acme, own, ids: { in: [acme.id, own.id] } }
}

const refused = (named: string) =>
  expect(removeDemo()).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining(named) })

describe('the removal of the demo', () => {
  it('fails and names the workspaces that other users can access, unless the option to remove everything is set', async () => {
    const { real, ada, acme, own, ids } = await world()
    await makeProject(acme, [[real, 'VIEWER']])
    await refused('“Acme”, and')
    await makeProject(own, [[real, 'ADMIN']])
    await refused('“Acme”, “Ada’s own”')
    expect(await prisma().workspace.count({ where: { id: ids } })).toBe(2)
    expect(await prisma().user.count({ where: { id: ada.id } })).toBe(1)
    await expect(removeDemo({ withEverything: true })).resolves.toMatchObject({ workspaces: ['Acme'] })
    expect(await prisma().workspace.count({ where: { id: ids } })).toBe(0)
  })

  it('fails while a demo workspace has another member, and succeeds after that member leaves', async () => {
    const { real, acme, ids } = await world()
    const key = { workspaceId: acme.id, userId: real.id }
    await prisma().workspaceMember.create({ data: { ...key, role: 'VIEWER' } })
    await refused('“Acme”, and')
    await prisma().workspaceMember.delete({ where: { workspaceId_userId: key } })
    const link = { provider: `workspace:${acme.id}`, subject: '1', userId: real.id }
    await prisma().identity.create({ data: link })
    await removeDemo()
    expect(await prisma().workspace.count({ where: { id: ids } })).toBe(0)
    expect(await prisma().identity.count({ where: { userId: real.id } })).toBe(0)
  })
})

describe('a change during the removal of the demo', () => {
  type World = Awaited<ReturnType<typeof world>>
  const joining = `INSERT INTO workspace_members (workspace_id, user_id, role) VALUES ($1, $2, 'VIEWER')`
  const changes: [string, string, (world: World) => string[]][] = [
    ['a member joins', joining, ({ acme, real }) => [acme.id, real.id]],
    ['a member joins a user’s own workspace', joining, ({ own, real }) => [own.id, real.id]],
    [
      'the last instance admin steps down',
      'UPDATE users SET instance_admin = false WHERE id = $1',
      ({ real }) => [real.id],
    ],
  ]
  it.each(changes)('(%s) makes the removal fail', async (_name, change, of) => {
    await prisma().workspace.deleteMany()
    await prisma().user.deleteMany()
    const here = await world()
    const outcome = await whileUncommitted(
      [[change, of(here)]],
      () => removeDemo(),
      'workspaces|users|projects',
    )
    expect(outcome).toBe('CONFLICT')
    expect(await prisma().workspace.count({ where: { id: here.ids } })).toBe(2)
  })
})
