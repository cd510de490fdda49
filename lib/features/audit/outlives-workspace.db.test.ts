import { randomUUID } from 'node:crypto'
import { afterEach, expect, inject, it } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { firstIdAt, parsePage } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { listInstanceEvents } from '@/lib/features/instance-admin/list-instance-events'
import { createProject } from '@/lib/features/projects/create-project'
import { deleteWorkspace } from '@/lib/features/workspaces/delete-workspace'
import type { SessionActor } from '@/lib/policy/actor'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { forgetEvents, listEvents } from './list-events'

afterEach(() => {
  delete process.env.AUDIT_DAYS
  resetConfig()
})

const page = parsePage({ first: 50 })
const session = (userId: string, instanceAdmin = false): SessionActor => ({
  kind: 'session',
  userId,
  sessionId: randomUUID(),
  instanceAdmin,
})

async function deletedWorkspace(slug: string) {
  const ada = await makeUser()
  const instanceAdmin = session((await makeUser({ instanceAdmin: true })).id, true)
  const workspace = await makeWorkspace([[ada, 'ADMIN']], { name: 'Acme', slug })
  await createProject(session(ada.id), { workspaceId: workspace.id, name: 'Website' })
  await deleteWorkspace(session(ada.id), workspace.id)
  return { ada, instanceAdmin, workspace }
}

it('a deleted workspace’s events and name remain visible to instance admins', async () => {
  const { ada, instanceAdmin, workspace } = await deletedWorkspace('acme-gone')
  for (const handle of [workspace.id, 'acme-gone']) {
    const { rows } = await listInstanceEvents(instanceAdmin, { workspace: handle }, page)
    expect(rows.map(({ action }) => action)).toEqual(['workspace.deleted', 'project.created'])
    expect(rows.map((row) => row.workspace)).toEqual(
      Array(2).fill({ id: workspace.id, name: 'Acme', slug: 'acme-gone', gone: true }),
    )
  }
  const { rows } = await listInstanceEvents(instanceAdmin, { user: ada.id }, page)
  expect(rows[0]).toMatchObject({ action: 'workspace.deleted', subject: 'Acme' })
})

it('a deleted workspace’s events are hidden from its former admins and from a new owner of its slug', async () => {
  const { ada, workspace } = await deletedWorkspace('taken-again')
  const heir = await makeUser()
  const successor = await makeWorkspace([[heir, 'ADMIN']], { slug: 'taken-again' })
  expect((await listEvents(session(heir.id), successor.id, {}, page)).rows).toEqual([])
  for (const user of [ada, heir]) {
    await expect(listEvents(session(user.id), workspace.id, {}, page)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(listInstanceEvents(session(user.id), {}, page)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  }
})

/** Defines a test that requires a trigger. On Citus, which does not support triggers, the test is skipped. */
const withTriggers = it.skipIf(inject('workerUrls').length > 0)

withTriggers(
  'a database trigger keeps a deleted workspace’s slug even if the previous release deletes the row',
  async () => {
    const ada = await makeUser()
    const workspace = await makeWorkspace([[ada, 'ADMIN']], { slug: 'by-hand' })
    await createProject(session(ada.id), { workspaceId: workspace.id, name: 'Website' })
    await prisma().$executeRaw`DELETE FROM workspaces WHERE id = ${workspace.id}::uuid`
    expect(await prisma().auditEvent.count({ where: { workspaceId: workspace.id } })).toBe(1)
    expect(await prisma().deletedWorkspace.findUnique({ where: { id: workspace.id } })).toMatchObject({
      slug: 'by-hand',
    })
  },
)

withTriggers(
  'a deleted workspace’s slug is kept even without the trigger, as in a distributed database',
  async () => {
    await prisma().$executeRaw`ALTER TABLE workspaces DISABLE TRIGGER workspaces_note_deleted`
    const { workspace } = await deletedWorkspace('without-a-trigger')
    await prisma().$executeRaw`ALTER TABLE workspaces ENABLE TRIGGER workspaces_note_deleted`
    expect(await prisma().deletedWorkspace.findUnique({ where: { id: workspace.id } })).toMatchObject({
      slug: 'without-a-trigger',
    })
  },
)

it('audit events and the names of deleted workspaces are deleted after AUDIT_DAYS, but are kept if AUDIT_DAYS is not set', async () => {
  const day = 86_400_000
  const { instanceAdmin, workspace } = await deletedWorkspace('long-ago')
  const kept = await prisma().auditEvent.count()
  const old = Array.from({ length: 1_500 }, (_, index) => ({
    id: firstIdAt(new Date(Date.now() - 100 * day)).replace(/.{4}$/, index.toString(16).padStart(4, '0')),
    actorKind: 'system',
    action: 'project.created',
    resourceType: 'project',
    resourceId: String(index),
  }))
  await prisma().auditEvent.createMany({ data: old })
  expect(await forgetEvents()).toBe(0)
  process.env.AUDIT_DAYS = '90'
  resetConfig()
  expect(await forgetEvents()).toBe(1_500)
  expect(await prisma().auditEvent.count()).toBe(kept)
  expect((await listInstanceEvents(instanceAdmin, { workspace: 'long-ago' }, page)).rows).toHaveLength(2)
  expect(await forgetEvents(Date.now() + 91 * day)).toBe(kept)
  expect(await prisma().deletedWorkspace.count({ where: { id: workspace.id } })).toBe(0)
})
