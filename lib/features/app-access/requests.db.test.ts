import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import type { SessionActor } from '@/lib/policy/actor'
import { makeClient, makePerson, makeProject, makeWorkspace } from '@/lib/testing/factories'
import { askAdmin } from './ask-admin'
import { approveApp, blockApp } from './decide'
import { declineRequests, listRequests } from './list-requests'
import { readInstalled } from './read-installed'
import { setPolicy } from './set-policy'

const session = (userId: string): SessionActor => ({
  kind: 'session',
  userId,
  sessionId: 's',
  instanceAdmin: false,
})

async function world() {
  const [ada, grace] = [await makePerson({ name: 'Ada' }), await makePerson({ name: 'Grace' })]
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
  const told = async ({ userId }: SessionActor) =>
    (await prisma().notification.findMany({ where: { userId }, orderBy: { id: 'asc' } })).map(
      ({ type, title, body }) => ({ type, title, body }),
    )
  return { admin, member, workspace, client, asked, told }
}

it('tells the admins who asks for what and why, and the asker what was decided', async () => {
  const { admin, member, workspace, client, asked, told } = await world()
  await askAdmin(member, asked)
  await askAdmin(member, { ...asked, reason: 'For Monday' })
  expect(await listRequests(admin, workspace.id)).toMatchObject([
    {
      clientId: client.id,
      name: 'Deployer',
      person: 'Grace',
      scopes: ['workspace:member'],
      reason: 'For Monday',
    },
  ])
  expect((await readInstalled(admin, workspace.id, client.id)).asked).toEqual(['workspace:member'])
  const title = `Grace asks to let Deployer into ${workspace.name}`
  expect(await told(admin)).toMatchObject([
    { type: 'APP_REQUESTED', title, body: 'They say: For the release on Friday' },
    { type: 'APP_REQUESTED', title, body: 'They say: For Monday' },
  ])

  await declineRequests(admin, workspace.id, client.id, { word: 'Use the one we have' })
  expect(await listRequests(admin, workspace.id)).toEqual([])
  await expect(declineRequests(admin, workspace.id, client.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await askAdmin(member, asked)
  await approveApp(admin, workspace.id, client.id, { scopes: ['workspace:member'] })
  expect(await listRequests(admin, workspace.id)).toEqual([])
  expect(await told(member)).toMatchObject([
    {
      type: 'APP_DECIDED',
      title: `Deployer was declined for ${workspace.name}`,
      body: 'It stays outside. The admin says: Use the one we have',
    },
    { type: 'APP_DECIDED', title: `Deployer was approved for ${workspace.name}` },
  ])
})

it('is for people of the workspace alone, and where there is something to ask', async () => {
  const { admin, member, workspace, client, asked } = await world()
  const stranger = session((await makePerson()).id)
  await expect(askAdmin(stranger, asked)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(askAdmin(member, { ...asked, scopes: ['email'] })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(askAdmin(member, { ...asked, clientId: 'no-app' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  for (const policy of ['OPEN', 'OWN'] as const) {
    await setPolicy(admin, workspace.id, { policy })
    await expect(askAdmin(member, asked)).rejects.toMatchObject({ code: 'CONFLICT' })
  }
  await setPolicy(admin, workspace.id, { policy: 'APPROVED' })
  await blockApp(admin, workspace.id, client.id)
  await expect(askAdmin(member, asked)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(listRequests(member, workspace.id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

it('may ask for more than an app is approved for, and from outside for one project', async () => {
  const { admin, member, workspace, client, asked } = await world()
  await approveApp(admin, workspace.id, client.id, { scopes: ['workspace:viewer'] })
  await askAdmin(member, asked)
  const guest = await makePerson({ name: 'Edsger' })
  await makeProject(workspace, [[guest, 'MEMBER']])
  await askAdmin(session(guest.id), { ...asked, scopes: ['project:admin'] })
  expect((await listRequests(admin, workspace.id)).map(({ person }) => person)).toEqual(['Grace', 'Edsger'])
})

it('is limited for each person', async () => {
  const { member, asked } = await world()
  const tries = Array.from({ length: 21 }, () => () => askAdmin(member, asked))
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
