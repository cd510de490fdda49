import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { searchProjects } from '@/lib/features/projects/search-projects'
import type { SessionActor } from '@/lib/policy/actor'
import { joinWorkspace, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { createWorkspace, updateWorkspace } from './create-workspace'
import { deleteWorkspace } from './delete-workspace'
import { listReachableWorkspaces } from './list-workspaces'

async function newActor(): Promise<SessionActor> {
  const { id } = await makeUser()
  return { kind: 'session', userId: id, sessionId: randomUUID(), instanceAdmin: false }
}

describe('createWorkspace', () => {
  it('makes the creator an admin and derives the slug from the name', async () => {
    const actor = await newActor()
    const workspace = await createWorkspace(actor, { name: 'Initech & Söhne' })
    expect(workspace.slug).toBe('initech-sohne')
    expect(await listReachableWorkspaces(actor)).toMatchObject([{ id: workspace.id, role: 'ADMIN' }])
  })

  it('assigns a slug that the workspace can keep, even if the name has only one character', async () => {
    const actor = await newActor()
    const { id, slug } = await createWorkspace(actor, { name: 'Z' })
    expect(await updateWorkspace(actor, id, { name: 'Zed', slug })).toMatchObject({ slug })
  })

  it('never assigns a reserved slug or the slug of another workspace, even to concurrent requests', async () => {
    const actor = await newActor()
    const made = await Promise.all(
      ['New', 'Twin', 'Twin', 'Twin'].map((name) => createWorkspace(actor, { name })),
    )
    const slugs = made.map(({ slug }) => slug)
    expect(slugs).not.toContain('new')
    expect(new Set(slugs).size).toBe(4)
  })

  it('rejects workspace tokens', async () => {
    const { userId } = await newActor()
    const token = { kind: 'workspace-token', userId, tokenId: 't', workspaceId: 'w', role: 'ADMIN' } as const
    await expect(createWorkspace(token, { name: 'Mine' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('updateWorkspace', () => {
  it('changes the name and the slug, but rejects a slug that is taken', async () => {
    const actor = await newActor()
    const { id } = await createWorkspace(actor, { name: 'Before' })
    const other = await makeWorkspace()
    const slug = `after-${randomUUID().slice(0, 8)}`
    expect(await updateWorkspace(actor, id, { name: 'After', slug })).toMatchObject({ name: 'After', slug })
    await expect(updateWorkspace(actor, id, { slug: other.slug })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { field: 'slug' },
    })
  })

  it.each(['new', 'Upper', 'a--b', '-a', 'a', 'with space', 'x'.repeat(51)])(
    'rejects the slug %s',
    async (slug) => {
      const actor = await newActor()
      const { id } = await createWorkspace(actor, { name: 'Before' })
      await expect(updateWorkspace(actor, id, { slug })).rejects.toMatchObject({ details: { field: 'slug' } })
    },
  )
})

it('only admins can change or delete a workspace', async () => {
  const [admin, member, stranger] = [await newActor(), await newActor(), await newActor()]
  const workspace = await createWorkspace(admin, { name: 'Guarded' })
  await joinWorkspace(workspace, { id: member.userId }, 'MEMBER')
  for (const [actor, code] of [
    [member, 'FORBIDDEN'],
    [stranger, 'NOT_FOUND'],
  ] as const) {
    await expect(updateWorkspace(actor, workspace.id, { name: 'Mine' })).rejects.toMatchObject({ code })
    await expect(deleteWorkspace(actor, workspace.id)).rejects.toMatchObject({ code })
  }
  await deleteWorkspace(admin, workspace.id)
  expect(await prisma().workspace.count({ where: { id: workspace.id } })).toBe(0)
})

describe('the console of a user', () => {
  it('lists the user’s own workspaces first, then workspaces in which the user has only a project role, and no others', async () => {
    const actor = await newActor()
    const me = { id: actor.userId }
    const shared = await makeWorkspace([], { name: 'A shared' })
    const own = await makeWorkspace([[me, 'VIEWER']], { name: 'Z own' })
    await makeWorkspace()
    await makeProject(shared, [[me, 'MEMBER']])
    const found = await listReachableWorkspaces(actor)
    expect(found.map(({ id, role }) => [id, role])).toEqual([
      [own.id, 'VIEWER'],
      [shared.id, null],
    ])
  })

  it('finds projects by part of their name, and shows an external user only the projects in which that user has a role', async () => {
    const [member, guest] = [await newActor(), await newActor()]
    const workspace = await makeWorkspace([[{ id: member.userId }, 'VIEWER']])
    const names = ['Website', 'web_api', 'Payments', 'Cobweb']
    for (const name of names) await makeProject(workspace, [], { name })
    const theirs = await makeProject(workspace, [[{ id: guest.userId }, 'VIEWER']], { name: 'Webhooks' })
    const search = (actor: SessionActor, text: string, size = 10) =>
      searchProjects(actor, workspace.id, text, { number: 1, size })
    expect((await search(member, ' WEB ')).rows.map(({ name }) => name)).toEqual([
      'Cobweb',
      'web_api',
      'Webhooks',
      'Website',
    ])
    expect((await search(member, '_')).rows.map(({ name }) => name)).toEqual(['web_api'])
    expect((await search(guest, '')).rows.map(({ id }) => id)).toEqual([theirs.id])
    expect(await search(member, 'web', 2)).toMatchObject({ rows: { length: 2 }, total: 4 })
  })
})
