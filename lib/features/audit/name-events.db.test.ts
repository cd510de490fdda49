import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { parsePage } from '@/lib/base/db/paging'
import { deleteApp } from '@/lib/features/apps/update-app'
import { createProject, updateProject } from '@/lib/features/projects/create-project'
import { deleteProject } from '@/lib/features/projects/delete-project'
import { createInvitation } from '@/lib/features/workspaces/create-invitation'
import { revokeInvitation } from '@/lib/features/workspaces/list-invitations'
import { setProjectMember } from '@/lib/features/workspaces/set-project-member'
import type { Actor } from '@/lib/policy/actor'
import { countStatements } from '@/lib/testing/count-statements'
import { makeApiToken, makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { listEvents } from './list-events'
import { nameEvents } from './name-events'

const session = (userId: string): Actor => ({
  kind: 'session',
  userId,
  sessionId: randomUUID(),
  instanceAdmin: false,
})

it('nameEvents reads the known names of actors, credentials, and resources with a single SQL statement', async () => {
  const ada = await makeUser({ name: 'Ada Lovelace' })
  const grace = await makeUser({ name: 'Grace Hopper' })
  const workspace = await makeWorkspace(
    [
      [ada, 'ADMIN'],
      [grace, 'MEMBER'],
    ],
    { name: 'Acme' },
  )
  const { client } = await makeClient(workspace, { name: 'Scanner' })
  const app: Actor = {
    kind: 'oauth',
    userId: ada.id,
    clientId: client.id,
    authorizationId: randomUUID(),
    scopes: new Set(['openid', 'workspace:admin', 'project:admin']),
    workspaceIds: [workspace.id],
    projectIds: [],
  }
  const { row: shared } = await makeApiToken(ada, { workspace })
  const { row: own } = await makeApiToken(ada)
  const asToken: Actor = {
    kind: 'workspace-token',
    userId: ada.id,
    tokenId: shared.id,
    workspaceId: workspace.id,
    role: 'ADMIN',
  }
  const asOwn: Actor = { kind: 'account-token', userId: ada.id, tokenId: own.id, role: 'ADMIN' }

  const site = await createProject(app, { workspaceId: workspace.id, name: 'Website' })
  await updateProject(asToken, site.id, { name: 'Shop' })
  await setProjectMember(session(ada.id), { projectId: site.id, userId: grace.id, role: 'ADMIN' })
  const gone = await createProject(asOwn, { workspaceId: workspace.id, name: 'Draft' })
  await deleteProject(session(ada.id), gone.id)
  const { invitation } = await createInvitation(session(ada.id), {
    workspaceId: workspace.id,
    email: 'barbara@example.test',
    role: 'VIEWER',
  })
  await revokeInvitation(session(ada.id), invitation.id)

  const page = parsePage({ first: 25 })
  const { rows } = await listEvents(session(ada.id), workspace.id, {}, page)
  const { value: named, statements } = await countStatements(() => nameEvents(rows))
  expect(statements).toHaveLength(1)
  const facts = named.map(({ user, action, subject, project, through }) => [
    user,
    action,
    subject,
    project,
    through,
  ])
  expect(facts.reverse()).toEqual([
    ['Ada Lovelace', 'project.created', 'Website', null, 'Scanner'],
    ['Ada Lovelace', 'project.updated', 'Shop', null, shared.name],
    ['Ada Lovelace', 'member.added', 'Grace Hopper', 'Shop', null],
    ['Ada Lovelace', 'project.created', 'Draft', null, null],
    ['Ada Lovelace', 'project.deleted', 'Draft', null, null],
    ['Ada Lovelace', 'invitation.created', 'barbara@example.test', null, null],
    ['Ada Lovelace', 'invitation.revoked', 'barbara@example.test', null, null],
  ])

  await deleteApp(session(ada.id), client.id)
  const { rows: later } = await listEvents(session(ada.id), workspace.id, {}, page)
  const [deleted] = await nameEvents(later)
  expect(deleted).toMatchObject({ action: 'oauth_app.deleted', subject: 'Scanner' })
  expect((await nameEvents(later)).at(-1)).toMatchObject({ action: 'project.created', through: null })
})
