import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { approveApp, blockApp } from '@/lib/features/app-access/decide'
import { setPolicy } from '@/lib/features/app-access/policy'
import { endAuthorizations } from '@/lib/features/apps/authorizations/revoke-authorization'
import { queryApi } from '@/lib/testing/app-requests'
import { joinWorkspace, makeProject, makeUser } from '@/lib/testing/factories'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import type { TestApp } from '@/lib/testing/oauth-flow'
import { makeOwner, native, startOAuthWorld } from '@/lib/testing/oauth-world'
import { twoFactors } from '../engine/sessions'
import { answerDeviceDecision, sealOutcome } from '../interaction/device-forms'

/** Attacks on the device flow: forged forms, and changes between the steps of the flow. */
const { owner } = await startOAuthWorld()
const vendor = await makeOwner()
const session = { kind: 'session', userId: owner.user.id, sessionId: 's', instanceAdmin: false } as const
const pages = await userAtDevicePages(owner.user.id)
const scope = 'openid workspace:admin project:admin'
const { id: workspaceId } = owner.workspace

let app: TestApp
beforeEach(async () => {
  await prisma().rateLimit.deleteMany()
  await prisma().workspaceApp.deleteMany({ where: { workspaceId } })
  await setPolicy(session, workspaceId, { policy: 'OPEN' })
  app = await vendor.makeApp(native)
})

const begin = async (params: Record<string, string> = { scope }, by = app) =>
  (await beginDevice(by, params)).body
const select = (id: string, kind = 'workspace'): [string, string] => [kind, id]
const poll = async (device: Record<string, string>, by = app) => {
  // A device that polls twice in a test must not get slow_down.
  const { body, status } = await pollDevice(by, String(device.device_code))
  return { status, error: body.error, token: String(body.access_token), idToken: String(body.id_token) }
}
const update = (data: object, { clientId } = app) =>
  prisma().oAuthClient.update({ where: { id: clientId }, data: { ...data, version: { increment: 1 } } })
const readsProject = async (token: string) =>
  (await queryApi(token, `{ project(id: "${owner.project.id}") { name } }`)).code

describe('a forged form', () => {
  it.each<[string, () => Promise<[string, string][]>]>([
    ['with a workspace of another user', async () => [select(vendor.workspace.id)]],
    ['with a project of another user', async () => [select(vendor.project.id, 'project')]],
    [
      'with a workspace of the user and one of another user',
      async () => [select(workspaceId), select(vendor.workspace.id)],
    ],
    [
      'with a project of another user and a workspace of the user',
      async () => [select(workspaceId), select(vendor.project.id, 'project')],
    ],
    ['with the ID of a project as a workspace', async () => [select(owner.project.id)]],
    ['with the ID of a workspace as a project', async () => [select(workspaceId, 'project')]],
    ['with an ID that does not exist', async () => [select(randomUUID())]],
    ['with text that is not an ID', async () => [select("' OR 1=1 --")]],
    ['with a NUL', async () => [select('\0')]],
    ['with nothing selected', async () => []],
    [
      'with the workspace of a project to which the user belongs',
      async () => {
        const elsewhere = await makeOwner()
        const project = await makeProject(elsewhere.workspace, [[owner.user, 'ADMIN']])
        return [select(elsewhere.workspace.id), select(project.id, 'project')]
      },
    ],
    [
      'with a workspace that the user has left',
      async () => {
        const elsewhere = await makeOwner()
        await joinWorkspace(elsewhere.workspace, owner.user, 'ADMIN')
        await prisma().workspaceMember.deleteMany({
          where: { workspaceId: elsewhere.workspace.id, userId: owner.user.id },
        })
        return [select(elsewhere.workspace.id)]
      },
    ],
    [
      'with a workspace that requires two-factor authentication',
      async () => {
        const elsewhere = await makeOwner()
        await joinWorkspace(elsewhere.workspace, owner.user, 'ADMIN')
        await prisma().workspace.update({
          where: { id: elsewhere.workspace.id },
          data: { requireTwoFactor: true },
        })
        return [select(elsewhere.workspace.id)]
      },
    ],
  ])('%s authorizes nothing, and the device keeps waiting', async (_what, fields) => {
    const device = await begin()
    const answer = await pages.decide(String(device.user_code), 'authorize', await fields())
    expect(answer.get('refused')).toMatch(/selection|nothing-selected/)
    expect((await poll(device)).error).toBe('authorization_pending')
    expect(await prisma().authorization.count({ where: { clientId: app.clientId } })).toBe(0)
  })

  it.each([
    ['a forged ticket', async () => 'made-up'],
    [
      'a modified ticket',
      async (ticket: string) => `${ticket.slice(0, -2)}${ticket.endsWith('AA') ? 'BB' : 'AA'}`,
    ],
    ['a value encrypted for another purpose', async () => sealOutcome(`${'0'.repeat(64)} BCDF-GHJK`)],
    ['the user code in place of the ticket', async (_ticket: string, code: string) => code],
  ])('with %s does not match any device', async (_what, forge) => {
    const device = await begin({ scope: 'openid' })
    const ticket = (await pages.type(String(device.user_code))).searchParams.get('request') as string
    const request = await forge(ticket, String(device.user_code))
    const form = pages.form('/device/decision', [
      ['request', request],
      ['decision', 'authorize'],
    ])
    expect((await answerDeviceDecision(form)).headers.get('location')).toBe('/device?error=gone')
    expect((await poll(device)).error).toBe('authorization_pending')
  })
})

const within: [string, () => Promise<unknown>][] = [
  ['blocks the app', () => blockApp(session, workspaceId, app.clientId)],
  ['requires approval for apps', () => setPolicy(session, workspaceId, { policy: 'APPROVED' })],
  ['allows only its own apps', () => setPolicy(session, workspaceId, { policy: 'OWN' })],
  [
    'lets its approval expire',
    async () => {
      await setPolicy(session, workspaceId, { policy: 'APPROVED' })
      await approveApp(session, workspaceId, app.clientId, { scopes: ['workspace:admin'] })
      await prisma().workspaceApp.updateMany({ where: { workspaceId }, data: { expiresAt: new Date(0) } })
    },
  ],
]

describe.each(within)('a workspace that %s', (_what, change) => {
  it.each([
    ['the workspace', 'workspace'],
    ['a project in the workspace', 'project'],
  ])(
    'prevents the selection of %s even if it does so after the user enters the code',
    async (_when, kind) => {
      const device = await begin()
      const ticket = (await pages.type(String(device.user_code))).searchParams.get('request') as string
      await change()
      const id = kind === 'project' ? owner.project.id : workspaceId
      const form = pages.form('/device/decision', [
        ['request', ticket],
        ['decision', 'authorize'],
        select(id, kind),
      ])
      expect((await answerDeviceDecision(form)).headers.get('location')).toContain('refused=selection')
      expect((await poll(device)).error).toBe('authorization_pending')
    },
  )

  it('gives the token no access even if it does so between the decision and the next poll', async () => {
    const device = await begin()
    await pages.decide(String(device.user_code), 'authorize', [select(workspaceId)])
    await change()
    const { token } = await poll(device)
    expect(await readsProject(token)).toBe('APP_NOT_APPROVED')
  })
})

describe('scopes that the app is not allowed to request', () => {
  it('give no access if they are removed from the app’s allowed scopes before or after the user’s decision', async () => {
    const before = await begin()
    await update({ allowedScopes: ['openid'] })
    await pages.decide(String(before.user_code), 'authorize', [select(workspaceId)])
    expect(await readsProject((await poll(before)).token)).toBe('INSUFFICIENT_SCOPE')
    const granted = await prisma().authorization.findFirst({ where: { clientId: app.clientId } })
    expect(granted?.scopes ?? []).not.toContain('workspace:admin')

    app = await vendor.makeApp(native)
    const after = await begin()
    await pages.decide(String(after.user_code), 'authorize', [select(workspaceId)])
    await update({ allowedScopes: ['openid'] })
    expect(await readsProject((await poll(after)).token)).toBe('INSUFFICIENT_SCOPE')
  })

  it('give no access if a device requests them', async () => {
    app = await vendor.makeApp({ ...native, allowedScopes: ['openid'] })
    const device = await begin()
    await pages.decide(String(device.user_code), 'authorize', [select(workspaceId)])
    expect(await readsProject((await poll(device)).token)).toBe('INSUFFICIENT_SCOPE')
  })
})

describe('a device flow that is interrupted', () => {
  it.each<[string, (userId: string) => Promise<unknown>]>([
    [
      'the user is suspended',
      (id) => prisma().user.update({ where: { id }, data: { suspendedAt: new Date() } }),
    ],
    ['the app is disabled', () => update({ disabledAt: new Date() })],
    ['the app is deleted', () => prisma().oAuthClient.delete({ where: { id: app.clientId } })],
    ['the app returns to development', () => update({ inDevelopment: true })],
    [
      'the authorization is revoked',
      (userId) => prisma().$transaction((tx) => endAuthorizations(tx, { userId })),
    ],
  ])('issues no token if %s after the user authorizes the device', async (_what, change) => {
    const user = await makeUser()
    const device = await begin({ scope: 'openid' })
    const own = await userAtDevicePages(user.id)
    const answer = await own.decide(String(device.user_code), 'authorize')
    expect(answer.get('done')).toBe('authorized')
    await change(user.id)
    expect((await poll(device)).status).toBe(400)
  })

  it.each<[string, (userId: string) => Promise<unknown>, RegExp]>([
    [
      'the user is suspended',
      (id) => prisma().user.update({ where: { id }, data: { suspendedAt: new Date() } }),
      /^\/login/,
    ],
    [
      'the session ends',
      (userId) => prisma().session.updateMany({ where: { userId }, data: { revokedAt: new Date() } }),
      /^\/login/,
    ],
    ['the app is disabled', () => update({ disabledAt: new Date() }), /error=gone/],
    ['the app returns to development', () => update({ inDevelopment: true }), /refused=/],
    ['the app awaits approval', () => update({ awaitingApproval: true }), /refused=/],
  ])('authorizes nothing if %s before the user authorizes the device', async (_what, change, leads) => {
    const user = await makeUser()
    const device = await begin({ scope: 'openid' })
    const own = await userAtDevicePages(user.id)
    const ticket = (await own.type(String(device.user_code))).searchParams.get('request') as string
    await change(user.id)
    const form = own.form('/device/decision', [
      ['request', ticket],
      ['decision', 'authorize'],
    ])
    expect((await answerDeviceDecision(form)).headers.get('location')).toMatch(leads)
    expect(await prisma().authorization.count({ where: { userId: user.id } })).toBe(0)
    expect((await poll(device)).status).toBe(400)
  })

  it('gives no access if the app moves to another workspace and is no longer allowed', async () => {
    app = await owner.makeApp(native)
    await setPolicy(session, workspaceId, { policy: 'OWN' })
    const device = await begin()
    await pages.decide(String(device.user_code), 'authorize', [select(workspaceId)])
    await update({ workspaceId: vendor.workspace.id })
    const { status, token } = await poll(device)
    expect(status === 200 ? await readsProject(token) : 'no token').not.toBe('ok')
  })
})

describe('several users with one code', () => {
  it('can make only one decision, and the token is for the user who made it', async () => {
    const device = await begin({ scope: 'openid' })
    const users = [owner.user, await makeUser(), await makeUser()]
    const answers = await Promise.all(
      users.map(async ({ id }) => {
        const own = await userAtDevicePages(id)
        return (await own.decide(String(device.user_code), 'authorize')).get('done')
      }),
    )
    expect(answers.filter((done) => done === 'authorized')).toHaveLength(1)
    const winner = users[answers.indexOf('authorized')]
    expect(decodeJwt((await poll(device)).idToken).sub).toBe(winner?.id)
  })

  it('cannot override each other’s decisions', async () => {
    for (const [first, second, error] of [
      ['authorize', 'deny', undefined],
      ['deny', 'authorize', 'access_denied'],
    ] as const) {
      const device = await begin({ scope: 'openid' })
      const eve = await userAtDevicePages((await makeUser()).id)
      const ticket = (await eve.type(String(device.user_code))).searchParams.get('request') as string
      await pages.decide(String(device.user_code), first)
      const form = eve.form('/device/decision', [
        ['request', ticket],
        ['decision', second],
      ])
      expect((await answerDeviceDecision(form)).headers.get('location')).toBe('/device?error=gone')
      expect((await poll(device)).error).toBe(error)
    }
  })
})

describe('a device that requires a strong or recent sign-in', () => {
  const decision = async (device: Record<string, string>, by = pages) => {
    const ticket = (await by.type(String(device.user_code))).searchParams.get('request') as string
    const form = by.form('/device/decision', [
      ['request', ticket],
      ['decision', 'authorize'],
    ])
    return (await answerDeviceDecision(form)).headers.get('location') ?? ''
  }

  it.each(['-1', 'abc', '1e9x'])('cannot send max_age=%s', async (max_age) => {
    expect((await begin({ scope: 'openid', max_age })).error).toBe('invalid_request')
  })

  it('requires a new sign-in for a session that is too old', async () => {
    const user = await makeUser()
    const own = await userAtDevicePages(user.id)
    const device = await begin({ scope: 'openid', max_age: '60' })
    await prisma().session.updateMany({
      where: { userId: user.id },
      data: { createdAt: new Date(Date.now() - 61_000) },
    })
    expect(await decision(device, own)).toMatch(/^\/login/)
    expect((await poll(device)).error).toBe('authorization_pending')
  })

  it('with max_age 0, accepts only a sign-in that follows its request', async () => {
    const user = await makeUser()
    const before = await userAtDevicePages(user.id)
    const device = await begin({ scope: 'openid', max_age: '0' })
    expect(await decision(device, before)).toMatch(/^\/login/)
    const after = await userAtDevicePages(user.id)
    expect(await decision(device, after)).toContain('done=authorized')
  })

  it('gets no token from a one-factor session if it requires two factors', async () => {
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: [twoFactors] } } })
    const device = await begin({ scope: 'openid', claims })
    expect(await decision(device)).not.toContain('done=authorized')
    expect((await poll(device)).status).toBe(400)
  })
})
