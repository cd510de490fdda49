import { describe, expect, it, vi } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { answerDeviceDecision } from '@/lib/edges/oauth/interaction/device-forms'
import { testSignInCookie } from '@/lib/edges/oauth/interaction/test-sign-in'
import { updateApp } from '@/lib/features/apps/update-app'
import { allScopes } from '@/lib/policy/scopes'
import { makeClientKey } from '@/lib/testing/client-key'
import { joinWorkspace, makeUser } from '@/lib/testing/factories'
import { userAtDevicePages } from '@/lib/testing/oauth-device'
import { signInToApp, type TestApp } from '@/lib/testing/oauth-flow'
import { makeOwner, native, startOAuthWorld } from '@/lib/testing/oauth-world'
import { continueTestSignIn, startTestSignIn, type Tried } from './try-sign-in'

/** A hook that runs between the check of the decision and the token request. */
const meanwhile = vi.hoisted(() => ({ happens: async () => {} }))
vi.mock('./exchange', async (original) => {
  const actual = await original<typeof import('./exchange')>()
  const later: typeof actual.withSecret = async (...given) => {
    await meanwhile.happens()
    return actual.withSecret(...given)
  }
  return { ...actual, withSecret: later }
})

const { owner } = await startOAuthWorld()

const sessionOf = ({ id }: { id: string }) =>
  ({ kind: 'session', userId: id, sessionId: 's', instanceAdmin: false }) as const
const admin = sessionOf(owner.user)

type Started = Awaited<ReturnType<typeof startTestSignIn>>

/** Submits a decision on the consent page of a test sign-in. @returns the page after the decision */
const answer = async (
  { sealed, to }: Started,
  user: { id: string } = owner.user,
  decision = 'authorize',
): Promise<string | null> => {
  const { form } = await userAtDevicePages(user.id)
  const ticket = new URL(to, config().BASE_URL).searchParams.get('request') as string
  const request = form('/device/decision', [
    ['request', ticket],
    ['decision', decision],
  ])
  request.headers.set(
    'cookie',
    `${request.headers.get('cookie')}; ${testSignInCookie(sealed).split(';', 1)[0]}`,
  )
  return (await answerDeviceDecision(request)).headers.get('location')
}

const page = '/workspaces/w/settings/developer/a/overview?tried=1'
const start = (app: TestApp, scopes = scope, actor = admin) =>
  startTestSignIn(actor, app.clientId, scopes, page)

const scope = 'openid email profile offline_access'
const goOn = ({ sealed }: Started, actor = admin): Promise<Tried> => continueTestSignIn(actor, sealed)

const left = async ({ clientId }: TestApp) => ({
  tokens: await prisma().oAuthArtifact.count({
    where: { payload: { path: ['clientId'], equals: clientId } },
  }),
  authorizations: await prisma().authorization.count({ where: { clientId } }),
  secrets: await prisma().oAuthClientSecret.count({ where: { clientId } }),
})

/** Matches any complete credential that this server issues. */
const credential = /lk_[a-z]+_[0-9A-Za-z]{20}|eyJ[\w-]+\.[\w-]+\.[\w-]+/

describe('a test sign-in', () => {
  it.each([
    ['a web app', {}, 1],
    ['a native app', native, 0],
  ])(
    'for %s shows its requests, responses, and ID token, and keeps no token or authorization',
    async (_, fields, secrets) => {
      const app = await owner.makeApp(fields)
      const begun = await start(app)
      expect(begun.to).toMatch(/^\/device\/confirm\?request=/)
      expect(await answer(begun)).toBe(page)
      const done = await goOn(begun)
      expect(done.state).toBe('done')
      expect(done.steps.map(({ title, status }) => [title, status])).toEqual([
        ['Request a device code', 200],
        ['Exchange the code for tokens', 200],
        ['Read the user’s claims', 200],
        ['Revoke the token', 200],
        ['Revoke the token', 200],
      ])
      expect(JSON.parse(String(done.idToken?.claims))).toMatchObject({
        sub: owner.user.id,
        aud: app.clientId,
        email: owner.user.email,
      })
      expect(JSON.parse(String(done.idToken?.header))).toMatchObject({ alg: 'RS256' })
      expect(JSON.stringify([begun, done])).not.toMatch(credential)
      expect(await left(app)).toEqual({ tokens: 0, authorizations: 0, secrets })
    },
  )

  it('waits for the user’s decision, and shows a denial', async () => {
    const app = await owner.makeApp()
    const begun = await start(app)
    expect((await goOn(begun)).state).toBe('asked')
    await answer(begun, owner.user, 'deny')
    const refused = await goOn(begun)
    expect(refused.state).toBe('failed')
    expect(refused.steps.at(-1)?.answer).toContain('access_denied')
    expect(await left(app)).toMatchObject({ authorizations: 0, secrets: 1 })
  })

  it('keeps the access that the user had granted earlier', async () => {
    const app = await owner.makeApp()
    await signInToApp(owner.browser, app, { scope: 'openid email' })
    const begun = await start(app)
    await answer(begun)
    expect(await goOn(begun)).toMatchObject({ state: 'done', kept: true })
    expect(await left(app)).toMatchObject({ authorizations: 1 })
  })

  it('keeps access that the user granted after its start, even if the user denies the test sign-in', async () => {
    const app = await owner.makeApp()
    const begun = await start(app)
    await signInToApp(owner.browser, app, { scope: 'openid email' })
    await answer(begun, owner.user, 'deny')
    expect(await goOn(begun)).toMatchObject({ state: 'failed' })
    expect(await left(app)).toMatchObject({ authorizations: 1 })
  })

  it('fits into a cookie even with all scopes, and rejects longer scope parameters', async () => {
    const app = await owner.makeApp()
    const { sealed } = await start(app, allScopes.join(' '))
    expect(testSignInCookie(sealed).length).toBeLessThan(4000)
    await expect(start(app, 'openid '.repeat(60))).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  })

  it('fails without keeping an access token if another user enters its code', async () => {
    const app = await owner.makeApp()
    const victim = await makeUser()
    const begun = await start(app)
    // Only the user who started the test sign-in returns to its page and does not have to compare the code.
    expect(await answer(begun, victim)).toMatch(/^\/device\?done=authorized/)
    await expect(goOn(begun)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(goOn(begun)).resolves.toMatchObject({ state: 'failed' })
    const tokens = { model: 'AccessToken', payload: { path: ['clientId'], equals: app.clientId } }
    expect(await prisma().oAuthArtifact.count({ where: tokens })).toBe(0)
  })

  it('revokes the tokens if another user answers during the exchange', async () => {
    const app = await owner.makeApp()
    const victim = await makeUser()
    const begun = await start(app)
    meanwhile.happens = async () => {
      await answer(begun, victim)
    }
    await expect(goOn(begun)).rejects.toMatchObject({ code: 'CONFLICT' })
    meanwhile.happens = async () => {}
    // The access that the other user granted belongs to the app.
    expect(await left(app)).toEqual({ tokens: 0, authorizations: 1, secrets: 1 })
  })

  it('requires permission to manage the app, and can be continued only by the user who started it', async () => {
    const app = await owner.makeApp()
    const member = await makeUser()
    await joinWorkspace(owner.workspace, member, 'MEMBER')
    const stranger = (await makeOwner()).user
    await expect(start(app, scope, sessionOf(member))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await expect(start(app, scope, sessionOf(stranger))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const second = await makeUser()
    await joinWorkspace(owner.workspace, second, 'ADMIN')
    const begun = await start(app, scope, sessionOf(second))
    await answer(begun, second)
    // Another admin's value, a modified value, and a forged value are rejected.
    await expect(goOn(begun)).rejects.toMatchObject({ code: 'CONFLICT' })
    for (const pending of ['', 'x', `${begun.sealed.slice(0, -3)}abc`]) {
      await expect(continueTestSignIn(sessionOf(second), pending)).rejects.toMatchObject({ code: 'CONFLICT' })
    }
    await joinWorkspace(owner.workspace, second, 'MEMBER')
    await expect(goOn(begun, sessionOf(second))).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('cannot be started for apps with a key or for self-registered apps', async () => {
    const app = await owner.makeApp()
    const key = await makeClientKey()
    await updateApp(admin, app.clientId, {
      clientAuthentication: 'PRIVATE_KEY',
      publicKeys: JSON.stringify(key.jwks),
    })
    await expect(start(app)).rejects.toMatchObject({ code: 'CONFLICT' })
    const agent = await owner.makeApp({ source: 'DYNAMIC' })
    await expect(start(agent)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('ignores scopes that the app cannot request', async () => {
    const app = await owner.makeApp({ allowedScopes: ['openid', 'email'] })
    const begun = await start(app)
    await answer(begun)
    const done = await goOn(begun)
    expect(JSON.parse(String(done.steps[1]?.answer)).scope).toBe('openid email')
  })
})
