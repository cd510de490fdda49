import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { searchAuthorizations } from '@/lib/features/apps/authorizations/list-authorizations'
import { askablePlaces, loadSelectable, selectionGroups } from '@/lib/features/apps/authorizations/selectable'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { callerFromBearer } from '@/lib/policy/bearer'
import { requireWorkspace } from '@/lib/policy/require'
import { makeAccessToken } from '@/lib/testing/access-token'
import { joinWorkspace, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { approveApp, blockApp, revokeForAllUsers, withdrawDecision } from './decide'
import { nameInstallable } from './installations'
import { listAppUsers } from './list-app-users'
import { type InstalledApp, listInstalled } from './list-installed'
import { previewPolicy, setPolicy } from './policy'

const session = (userId: string): SessionActor => ({
  kind: 'session',
  userId,
  sessionId: 's',
  instanceAdmin: false,
})

const page = { limit: 2, backward: false, after: null as string | null, before: null }

const installedIn = async (actor: Actor, id: string) =>
  (await listInstalled(actor, id, { ...page, limit: 100 })).rows

/**
 * Creates a workspace with an admin and a member, and an app that the member authorized for the workspace and
 * one of its projects.
 */
async function world() {
  const [ada, grace] = [await makeUser({ name: 'Ada' }), await makeUser({ name: 'Grace' })]
  const workspace = await makeWorkspace([
    [ada, 'ADMIN'],
    [grace, 'MEMBER'],
  ])
  const project = await makeProject(workspace)
  const given = { workspaces: [workspace], projects: [project] }
  const made = await makeAccessToken(grace, ['openid', 'workspace:member', 'project:admin'], given)
  const allowed = async () => {
    const caller = await callerFromBearer(made.token)
    if (!caller) throw new Error('the token is dead')
    return requireWorkspace(caller.actor, 'workspace:create-project', workspace.id).then(
      () => 'ok',
      (error) => error.code,
    )
  }
  return { admin: session(ada.id), member: session(grace.id), id: workspace.id, project, ...made, allowed }
}

describe('an app that a member authorized', () => {
  it('is listed with its users, their scopes, and their selections', async () => {
    const { admin, id, client, project } = await world()
    expect(await installedIn(admin, id)).toMatchObject([
      {
        id: client.id,
        runBy: null,
        transferring: false,
        users: 1,
        names: ['Grace'],
        scopes: ['project:admin', 'workspace:member'],
        whole: true,
        projects: 1,
        decision: null,
        admission: { kind: 'whole' },
      },
    ])
    const { rows } = await listAppUsers(admin, id, client.id, { ...page, after: null })
    expect(rows).toMatchObject([{ name: 'Grace', whole: true, projects: [{ id: project.id }] }])
  })

  it('is not listed for members, or after its only user leaves the workspace', async () => {
    const { admin, member, id } = await world()
    await expect(installedIn(member, id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await prisma().workspaceMember.deleteMany({ where: { userId: member.userId } })
    expect(await installedIn(admin, id)).toEqual([])
  })

  it('loses access when the policy becomes stricter, as the preview states, and regains it only while an approval covers its scopes', async () => {
    const { admin, id, client, allowed } = await world()
    expect(await allowed()).toBe('ok')
    const loses = { id: client.id, users: 1, names: ['Grace'], loses: 'everything' }
    expect(await previewPolicy(admin, id, 'OWN')).toMatchObject([loses])
    expect(await previewPolicy(admin, id, 'APPROVED')).toMatchObject([loses])
    expect(await previewPolicy(admin, id, 'OPEN')).toEqual([])
    await setPolicy(admin, id, { policy: 'APPROVED' })
    expect(await allowed()).toBe('APP_NOT_APPROVED')
    await approveApp(admin, id, client.id, { scopes: ['workspace:viewer'] })
    expect(await allowed()).toBe('APP_NOT_APPROVED')
    await approveApp(admin, id, client.id, { scopes: ['workspace:admin'], expiresAt: '2999-12-31' })
    expect(await allowed()).toBe('ok')
    await withdrawDecision(admin, id, client.id)
    expect(await allowed()).toBe('APP_NOT_APPROVED')
  })

  it('appears in the preview of a stricter policy only if its approval does not cover all its access', async () => {
    const { admin, id, client } = await world()
    await approveApp(admin, id, client.id, { scopes: ['workspace:viewer'] })
    expect(await previewPolicy(admin, id, 'APPROVED')).toMatchObject([{ id: client.id, loses: 'a part' }])
    await approveApp(admin, id, client.id, { scopes: ['workspace:admin'] })
    expect(await previewPolicy(admin, id, 'APPROVED')).toEqual([])
  })

  it('regains access when an admin unblocks it, and loses access only to the workspace whose admin revokes it for all users', async () => {
    const { admin, id, client, allowed, authorization, project } = await world()
    await blockApp(admin, id, client.id, { word: 'Reads too much' })
    expect(await allowed()).toBe('APP_NOT_APPROVED')
    await withdrawDecision(admin, id, client.id)
    expect(await allowed()).toBe('ok')
    const elsewhere = await makeProject(await makeWorkspace())
    const projectIds = [project.id, elsewhere.id]
    await prisma().authorization.update({ where: { id: authorization.id }, data: { projectIds } })
    expect(await revokeForAllUsers(admin, id, client.id)).toBe(1)
    expect(await allowed()).toBe('RESOURCE_NOT_SHARED')
    expect(await prisma().authorization.findUnique({ where: { id: authorization.id } })).toMatchObject({
      workspaceIds: [],
      projectIds: [elsewhere.id],
    })
    const actions = await prisma().auditEvent.findMany({ where: { workspaceId: id }, orderBy: { id: 'asc' } })
    expect(actions.map(({ action }) => action)).toEqual([
      'app.blocked',
      'app.unblocked',
      'app.revoked_for_everyone',
    ])
  })

  it('cannot be managed with an app’s workspace:admin token, which also cannot set the app policy', async () => {
    const { admin, id, client } = await world()
    const ada = { id: admin.userId }
    const { token } = await makeAccessToken(ada, ['workspace:admin'], { workspaces: [{ id }] })
    const caller = await callerFromBearer(token)
    if (!caller) throw new Error('no caller')
    const approval = { scopes: ['workspace:admin'] }
    for (const work of [
      approveApp(caller.actor, id, client.id, approval),
      setPolicy(caller.actor, id, { policy: 'OPEN' }),
      withdrawDecision(caller.actor, id, client.id),
      installedIn(caller.actor, id),
    ]) {
      await expect(work).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
  })

  it('has the same status on the consent page and in the lists of authorized and installed apps', async () => {
    const { admin, member, id, client, project } = await world()
    const judged = { clientId: client.id, workspaceId: null }
    const scopes = ['workspace:member', 'project:admin']
    const said = async () => {
      const families = { workspaces: true, projects: true }
      const offered = selectionGroups(
        families,
        await loadSelectable(member, families, judged),
        new Set([id]),
        scopes,
      )
      const [mine] = (await searchAuthorizations(member, '', { number: 1, size: 25 })).rows
      const [installed] = await installedIn(admin, id)
      const noteOf = (groups: typeof offered.workspaces) => groups?.[0]?.options[0]?.note
      return [
        [noteOf(offered.workspaces), noteOf(offered.projects)],
        [mine?.workspaces[0]?.note, mine?.projects[0]?.note],
        installed?.admission.kind,
      ]
    }
    const both = (note?: string) => [note, note]
    expect(await said()).toEqual([both(), both(), 'whole'])
    await setPolicy(admin, id, { policy: 'APPROVED' })
    expect(await said()).toEqual([both('Needs approval'), both('Needs approval'), 'closed'])
    await approveApp(admin, id, client.id, { scopes: ['workspace:viewer'] })
    expect(await said()).toEqual([both('at most viewer'), both('at most viewer'), 'within'])
    await approveApp(admin, id, client.id, { scopes: ['project:admin'], projectIds: [project.id] })
    expect(await said()).toEqual([
      ['Not covered by the approval', undefined],
      ['Not covered by the approval', undefined],
      'within',
    ])
    await setPolicy(admin, id, { policy: 'OWN' })
    expect(await said()).toEqual([both('Own apps only'), both('Own apps only'), 'closed'])
    await blockApp(admin, id, client.id)
    expect(await said()).toEqual([both('Blocked here'), both('Blocked here'), 'closed'])
  })

  it('can be approved on the consent page only by a workspace admin, even if it requests only project scopes', async () => {
    const { admin, member, id, client } = await world()
    await setPolicy(admin, id, { policy: 'APPROVED' })
    const judged = { clientId: client.id, workspaceId: null }
    for (const families of [
      { workspaces: true, projects: true },
      { workspaces: false, projects: true },
    ]) {
      const placesOf = async (user: SessionActor) =>
        askablePlaces(await loadSelectable(user, families, judged), ['project:admin'])
      expect(await placesOf(admin)).toMatchObject([{ id, decides: true }])
      expect(await placesOf(member)).toMatchObject([{ id, decides: false }])
    }
  })
})

it('an approval is rejected if its app is unknown, its scopes or projects are unsuitable, or its expiry is in the past', async () => {
  const { admin, id, client } = await world()
  const foreign = await makeProject(await makeWorkspace())
  for (const [input, field] of [
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['email'] }, 'scopes'],
    [{ scopes: ['workspace:viewer'], projectIds: [foreign.id] }, 'projectIds'],
    [{ scopes: ['workspace:viewer'], projectIds: [] }, 'projectIds'],
    [{ scopes: ['workspace:viewer'], expiresAt: '2001-01-01' }, 'expiresAt'],
  ] as const) {
    const refused = { code: 'BAD_USER_INPUT', details: { field } }
    await expect(approveApp(admin, id, client.id, input)).rejects.toMatchObject(refused)
  }
  const unknown = approveApp(admin, id, 'no-app', { scopes: ['workspace:viewer'] })
  await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('the list of installed apps is paged and sorted in natural order, and can be searched by name', async () => {
  const { admin, id } = await world()
  const user = await makeUser()
  await joinWorkspace({ id }, user, 'VIEWER')
  for (let more = 0; more < 3; more++) {
    await makeAccessToken(user, ['workspace:viewer'], { workspaces: [{ id }] })
  }
  const names = ['Helper', 'Helper 2', 'Helper 10', 'Helper 100']
  for (const [index, { id: clientId }] of (await installedIn(admin, id)).entries()) {
    await prisma().oAuthClient.update({
      where: { id: clientId },
      data: { name: String(names.at(-1 - index)) },
    })
  }
  const all = (await installedIn(admin, id)).map((app) => app.name)
  expect(all).toEqual(names)
  const first = await listInstalled(admin, id, page)
  expect(first).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
  const next = await listInstalled(admin, id, { ...page, after: String(first.rows.at(-1)?.place) })
  expect(next).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
  expect([...first.rows, ...next.rows].map(({ name }) => name)).toEqual(all)
  const back = { ...page, backward: true, before: String(next.rows[0]?.place) }
  expect((await listInstalled(admin, id, back)).rows).toEqual(first.rows)
  expect(await first.count()).toBe(4)
  const named = await listInstalled(admin, id, page, { search: String(all[0]) })
  expect(named.rows.length).toBeGreaterThan(0)
  expect((await listInstalled(admin, id, page, { search: 'nothing-like-it' })).rows).toEqual([])
})

it('the filter by state finds the apps with that state under each policy', async () => {
  const { admin, member, id, client } = await world()
  const workspace = { id }
  const user = { id: member.userId }
  const named = async (name: string, data: object = {}) => {
    const made = await makeAccessToken(user, ['openid', 'workspace:viewer'], { workspaces: [workspace] })
    await prisma().oAuthClient.update({ where: { id: made.client.id }, data: { name, ...data } })
    return made.client.id
  }
  await prisma().oAuthClient.update({ where: { id: client.id }, data: { name: 'undecided' } })
  await named('own', { workspaceId: id })
  await named('transferring', { workspaceId: id, transferredAt: new Date() })
  await named('disabled', { disabledAt: new Date() })
  await approveApp(admin, id, await named('approved'), { scopes: ['workspace:viewer'] })
  const expired = await named('expired')
  await approveApp(admin, id, expired, { scopes: ['workspace:viewer'], expiresAt: '2999-12-31' })
  await prisma().workspaceApp.updateMany({ where: { clientId: expired }, data: { expiresAt: new Date(0) } })
  await blockApp(admin, id, await named('blocked'), {})
  for (const policy of ['OPEN', 'APPROVED', 'OWN'] as const) {
    await setPolicy(admin, id, { policy })
    const all = await installedIn(admin, id)
    expect(all).toHaveLength(7)
    for (const state of ['ALLOWED', 'BLOCKED', 'EXCLUDED'] as const) {
      const found = await listInstalled(admin, id, { ...page, limit: 100 }, { state })
      expect(found.rows.map(({ name }) => name)).toEqual(
        all.filter((app) => stateOf(app) === state).map(({ name }) => name),
      )
      expect(await found.count()).toBe(found.rows.length)
    }
  }
})

const stateOf = ({ disabled, admission }: InstalledApp) =>
  disabled || (admission.kind === 'closed' && admission.reason !== 'blocked')
    ? 'EXCLUDED'
    : admission.kind === 'closed'
      ? 'BLOCKED'
      : 'ALLOWED'

describe('the name of an app that can be installed', () => {
  it('is returned only for installable apps, and in development only to the app’s own workspace', async () => {
    const [own, other] = [await makeWorkspace([]), await makeWorkspace([])]
    const { client } = await makeClient(own, { name: 'Deploy Bot' })
    expect(await nameInstallable(client.id, [own.id])).toBeUndefined()
    const change = (data: object) => prisma().oAuthClient.update({ where: { id: client.id }, data })
    await change({ installScopes: ['project:viewer'] })
    expect(await nameInstallable(client.id, [other.id])).toBe('Deploy Bot')
    await change({ inDevelopment: true })
    expect(await nameInstallable(client.id, [other.id])).toBeUndefined()
    expect(await nameInstallable(client.id, [other.id, own.id])).toBe('Deploy Bot')
    await change({ disabledAt: new Date() })
    expect(await nameInstallable(client.id, [own.id])).toBeUndefined()
    expect(await nameInstallable('unknown', [own.id])).toBeUndefined()
  })
})
