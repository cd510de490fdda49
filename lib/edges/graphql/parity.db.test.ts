import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { createStream } from '@/lib/features/audit-streams/change-stream'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'
import { examples } from './reference/examples'

/** Console actions that are also available in the API. See ADR 0015. */
const api = serveGraphQL()

const run = async (token: string, query: string, variables?: object) => {
  const { data, errors } = await api.execute(token, query, variables)
  return errors ? errors[0]?.extensions.code : data
}

const actionsOf = async (where: object) =>
  (await prisma().auditEvent.findMany({ where, orderBy: { id: 'asc' } })).map(({ action }) => action)

describe('the two-factor requirement of a workspace', () => {
  const demand = `mutation ($w: ID!, $required: Boolean!) {
    workspaceTwoFactorUpdate(workspaceId: $w, required: $required) { requiresTwoFactor } }`

  it('can be set and removed only with a token created with two-factor authentication, and applies immediately', async () => {
    const [admin, member] = [await makeUser(), await makeUser()]
    const workspace = await makeWorkspace([
      [admin, 'ADMIN'],
      [member, 'MEMBER'],
    ])
    const [weak, strong] = [await makeApiToken(admin), await makeApiToken(admin, { twoFactor: true })]
    const ask = (token: string, required: boolean) => run(token, demand, { w: workspace.id, required })
    expect(await ask(weak.token, true)).toBe('FORBIDDEN')
    expect(await ask(strong.token, true)).toEqual({ workspaceTwoFactorUpdate: { requiresTwoFactor: true } })
    expect(await ask(strong.token, true)).toEqual({ workspaceTwoFactorUpdate: { requiresTwoFactor: true } })
    const asMember = await makeApiToken(member)
    const look = `{ workspace(workspaceId: "${workspace.id}") { id } }`
    expect(await run(asMember.token, look)).toBe('FORBIDDEN')
    expect(await ask(weak.token, false)).toBe('FORBIDDEN')
    expect(await ask(strong.token, false)).toEqual({ workspaceTwoFactorUpdate: { requiresTwoFactor: false } })
    expect(await run(asMember.token, look)).toEqual({ workspace: { id: workspace.id } })
    expect(await actionsOf({ workspaceId: workspace.id })).toEqual([
      'workspace.two_factor_required',
      'workspace.two_factor_optional',
    ])
  })

  it('cannot be changed by a workspace token or an app', async () => {
    const admin = await makeUser()
    const workspace = await makeWorkspace([[admin, 'ADMIN']])
    const ofWorkspace = await makeApiToken(admin, { workspace, twoFactor: true })
    const ofApp = await makeAccessToken(admin, ['workspace:admin'], { workspaces: [workspace] })
    for (const { token } of [ofWorkspace, ofApp]) {
      expect(await run(token, demand, { w: workspace.id, required: false })).toBe('FORBIDDEN')
    }
  })
})

describe('the mutation sessionsDelete', () => {
  it('ends and counts all of the user’s sessions but not those of other users, and is recorded only if it ends a session', async () => {
    const [user, other] = [await makeUser(), await makeUser()]
    const sids = [
      await startSession({}, user.id, ['pwd']),
      await startSession({}, user.id, ['pwd', 'otp', 'mfa']),
    ]
    const theirs = await startSession({}, other.id, ['pwd'])
    const { token } = await makeApiToken(user)
    const methods = '{ sessions { nodes { methods } } }'
    expect((await run(token, methods)).sessions.nodes).toEqual([
      { methods: ['pwd', 'otp', 'mfa'] },
      { methods: ['pwd'] },
    ])
    expect(await run(token, examples.sessionsDelete as string)).toEqual({ sessionsDelete: 2 })
    const live = await prisma().session.findMany({
      where: { id: { in: [...sids, theirs] }, revokedAt: null },
      select: { id: true },
    })
    expect(live).toEqual([{ id: theirs }])
    expect((await run(token, '{ signIns { methods } }')).signIns).toHaveLength(2)
    expect(await run(token, examples.sessionsDelete as string)).toEqual({ sessionsDelete: 0 })
    expect(await actionsOf({ userId: user.id })).toEqual(['session.others_revoked'])
  })
})

describe('the profile', () => {
  it('can contain only a supported language for emails', async () => {
    const { token } = await makeApiToken(await makeUser({ name: 'Ada' }))
    const speak = (language: string) =>
      run(token, 'mutation ($l: String) { userUpdate(input: { language: $l }) { name language } }', {
        l: language,
      })
    expect(await run(token, '{ me { language } }')).toEqual({ me: { language: 'en' } })
    expect(await speak('de')).toEqual({ userUpdate: { name: 'Ada', language: 'de' } })
    expect(await speak('tlh')).toBe('BAD_USER_INPUT')
    expect(await run(token, 'mutation { userUpdate(input: { name: "Ada L" }) { language } }')).toEqual({
      userUpdate: { language: 'de' },
    })
  })

  it('keeps the current values of omitted fields, even if an earlier mutation in the same request changed them', async () => {
    const { token } = await makeApiToken(await makeUser({ name: 'Ada' }))
    const twice = (first: string, second: string) =>
      run(token, `mutation { one: userUpdate(${first}) { id } two: userUpdate(${second}) { name avatar } }`)
    const avatar = 'https://img.example/ada.png'
    expect(await twice('input: { name: "Ada L" }', 'input: { language: "de" }')).toMatchObject({
      two: { name: 'Ada L', avatar: null },
    })
    expect(await twice(`input: { avatar: "${avatar}" }`, 'input: { name: "Ada" }')).toMatchObject({
      two: { name: 'Ada', avatar },
    })
    expect(await run(token, '{ me { name avatar } }')).toEqual({ me: { name: 'Ada', avatar } })
  })

  it('has a picture that users can upload and remove, and rejects a file that is not an image', async () => {
    const { token } = await makeApiToken(await makeUser())
    const { userAvatarUpdate: user } = await run(token, examples.userAvatarUpdate as string)
    expect(user.avatar).toMatch(/\/pictures\/[0-9a-f-]+\.webp$/)
    expect(await run(token, '{ me { avatar } }')).toEqual({ me: { avatar: user.avatar } })
    expect(await run(token, 'mutation { userAvatarUpdate(picture: "bm9uZQ==") { id } }')).toBe(
      'BAD_USER_INPUT',
    )
    expect(await run(token, 'mutation { userUpdate(input: { avatar: "" }) { avatar } }')).toEqual({
      userUpdate: { avatar: null },
    })
    expect(await prisma().picture.count()).toBe(0)
  })
})

describe('the usage of apps', () => {
  const sumOf = (slots: Record<string, number>[], measure: string) =>
    slots.reduce((sum, slot) => sum + (slot[measure] as number), 0)

  it('is reported by hour and by day, for one app and for all apps in a workspace', async () => {
    const admin = await makeUser()
    const workspace = await makeWorkspace([[admin, 'ADMIN']])
    const [one, other] = [await makeClient(workspace), await makeClient(workspace)]
    const day = new Date(new Date().toISOString().slice(0, 10))
    for (const { client } of [one, other]) {
      await prisma().appUsage.create({ data: { clientId: client.id, day, requests: 3 } })
    }
    await prisma().appEvent.create({ data: { clientId: one.client.id, kind: 'SIGNED_IN' } })
    const { token } = await makeApiToken(admin)
    const counts = 'at authorizations requests signIns refused'
    const ofApp = (range: string) =>
      run(token, `{ oauthAppUsage(id: "${one.client.id}", range: ${range}) { ${counts} } }`)
    const week = (await ofApp('WEEK')).oauthAppUsage
    expect(week).toHaveLength(7)
    expect(week[0]).toMatchObject({ authorizations: 0, requests: 0, signIns: null, refused: null })
    expect(sumOf(week, 'requests')).toBe(3)
    const hours = (await ofApp('DAY')).oauthAppUsage
    expect(hours).toHaveLength(24)
    expect(sumOf(hours, 'signIns')).toBe(1)
    expect(hours[0]).toMatchObject({ authorizations: null, requests: null, refused: 0 })
    const all = await run(token, `{ oauthAppsUsage(workspaceId: "${workspace.id}") { requests } }`)
    expect(all.oauthAppsUsage).toHaveLength(30)
    expect(sumOf(all.oauthAppsUsage, 'requests')).toBe(6)
  })
})

describe('project tokens', () => {
  it('can be listed and revoked by their creators, even without access to the project', async () => {
    const [maker, other] = [await makeUser(), await makeUser()]
    const workspace = await makeWorkspace([[other, 'ADMIN']])
    const project = await makeProject(workspace)
    const { row } = await makeApiToken(maker, { project })
    await makeApiToken(other, { project })
    const { token } = await makeApiToken(maker)
    const list = '{ ownProjectTokens { totalCount nodes { id projectId } } }'
    expect(await run(token, list)).toEqual({
      ownProjectTokens: { totalCount: 1, nodes: [{ id: row.id, projectId: project.id }] },
    })
    await run(token, 'mutation ($id: ID!) { apiTokenDelete(id: $id) }', { id: row.id })
    expect(await run(token, list)).toEqual({ ownProjectTokens: { totalCount: 0, nodes: [] } })
  })
})

describe('the audit log stream', () => {
  it('is visible to admins without its secrets, or is null if no stream is configured', async () => {
    const admin = await makeUser()
    const workspace = await makeWorkspace([[admin, 'ADMIN']])
    const { token } = await makeApiToken(admin)
    const read = `{ auditStream(workspaceId: "${workspace.id}") { url state waiting lastSuccessAt failingSince lastError } }`
    expect(await run(token, read)).toEqual({ auditStream: null })
    const actor = {
      kind: 'session',
      userId: admin.id,
      sessionId: crypto.randomUUID(),
      instanceAdmin: false,
    } as const
    await createStream(
      actor,
      { workspaceId: workspace.id },
      { url: 'https://siem.example.com/in?token=hush' },
    )
    expect(await run(token, read)).toMatchObject({
      auditStream: {
        url: 'https://siem.example.com/in?…',
        state: 'SENDING',
        lastSuccessAt: null,
        lastError: null,
      },
    })
  })
})

describe('the apps of a user', () => {
  it('can be read with one fragment, regardless of how they were authorized', async () => {
    const user = await makeUser()
    const { authorization } = await makeAccessToken(user, ['openid'])
    const { token } = await makeApiToken(user)
    const answer = await run(
      token,
      `{ authorizedApps { nodes { ...app } } managedApps { nodes { ...app } } }
       fragment app on UserApp { clientId name logo workspaceName verified }`,
    )
    expect(answer.authorizedApps.nodes).toEqual([
      expect.objectContaining({ clientId: authorization.clientId, logo: null, verified: false }),
    ])
    expect(answer.managedApps.nodes).toEqual([])
  })
})
