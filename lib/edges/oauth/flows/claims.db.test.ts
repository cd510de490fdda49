import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { beginDevice, personAtDevicePages, pollDevice } from '@/lib/testing/oauth-device'
import { offline, refresh, signInToApp, type TestApp, userinfo } from '@/lib/testing/oauth-flow'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner, web, cli } = await startOAuthWorld()
const { decide } = await personAtDevicePages(owner.person.id)
const { id: sub, email, name } = owner.person
const standard = ['sub', 'aud', 'exp', 'iat', 'iss', 'sid', 'nonce']

async function signInWithDevice(app: TestApp, params: Record<string, string>) {
  const { body } = await beginDevice(app, params)
  await decide(body.user_code as string, 'authorize')
  return pollDevice(app, body.device_code as string)
}

/** What an app learns about the person from the two places, besides what every id_token says. */
async function learned(tokens: { body: Record<string, string> }) {
  const { access_token, id_token } = tokens.body
  const said = Object.entries(decodeJwt(id_token as string)).filter(([claim]) => !standard.includes(claim))
  return { me: (await userinfo(access_token as string)).body, idToken: Object.fromEntries(said) }
}

const flows = {
  code: (app: TestApp, params: Record<string, string>) => signInToApp(owner.browser, app, params),
  device: signInWithDevice,
}

describe.each(Object.entries(flows))('the %s flow', (_flow, signIn) => {
  const everything = { email, email_verified: true, name }

  it.each([
    ['openid', {}],
    ['openid email', { email, email_verified: true }],
    ['openid profile', { name }],
    ['openid email profile', everything],
  ])(
    'tells an app with %s, in the id_token and at /oauth/me, what that scope means',
    async (scope, known) => {
      for (const app of [web, cli]) {
        const { me, idToken } = await learned(await signIn(app, { scope }))
        expect(me).toEqual({ sub, ...known })
        expect(idToken).toEqual(known)
      }
    },
  )

  it('puts the picture and an address that is not confirmed into the id_token as they are', async () => {
    const avatarUrl = 'https://images.example.test/a.png'
    const data = { avatarUrl, emailVerifiedAt: null }
    const before = await prisma().user.findUniqueOrThrow({ where: { id: sub } })
    await prisma().user.update({ where: { id: sub }, data })
    const { idToken } = await learned(await signIn(cli, { scope: 'openid email profile' }))
    await prisma().user.update({ where: { id: sub }, data: { ...before } })
    expect(idToken).toEqual({ email, email_verified: false, name, picture: expect.stringContaining('a.png') })
  })

  describe('M2: claims asked for by name', () => {
    const claims = JSON.stringify({
      userinfo: { email: { essential: true }, name: null, picture: null },
      id_token: { email: null, name: { value: 'x' } },
    })

    it('tell nothing whose scope was not granted', async () => {
      for (const app of [web, cli]) {
        const { me, idToken } = await learned(await signIn(app, { scope: 'openid', claims }))
        expect([me, idToken]).toEqual([{ sub }, {}])
      }
    })

    it('tell nothing to a token without the scope, where the app was granted it at another sign-in', async () => {
      const app = await owner.makeApp()
      await signIn(app, { scope: 'openid email profile' })
      const { me, idToken } = await learned(await signIn(app, { scope: 'openid', claims }))
      expect([me, idToken]).toEqual([{ sub }, {}])
    })

    it('tell nothing where an authorization of earlier holds them', async () => {
      const app = await owner.makeApp()
      const tokens = await signIn(app, { scope: 'openid', claims })
      await pool().query(
        `UPDATE authorizations SET payload = '{"claims": ["email", "name", "picture"]}' WHERE client_id = $1`,
        [app.clientId],
      )
      expect((await userinfo(tokens.body.access_token as string)).body).toEqual({ sub })
      const { me, idToken } = await learned(await signIn(app, { scope: 'openid', claims }))
      expect([me, idToken]).toEqual([{ sub }, {}])
    })

    it('change nothing where the scope was granted', async () => {
      const { me, idToken } = await learned(await signIn(web, { scope: 'openid email profile', claims }))
      expect([me, idToken]).toEqual([{ sub, ...everything }, everything])
    })
  })
})

describe('the id_token of a refresh', () => {
  const everything = ['openid', 'email', 'profile', 'offline_access'].join(' ')

  it.each(Object.entries(flows))(
    'carries the claims of the sign-in by the %s flow',
    async (_flow, signIn) => {
      for (const app of [web, cli]) {
        const { body } = await signIn(app, { ...offline, scope: everything })
        const first = await learned({ body: body as Record<string, string> })
        expect(first.idToken).toEqual({ email, email_verified: true, name })
        const next = await refresh(app, body.refresh_token as string)
        expect((await learned(next)).idToken).toEqual(first.idToken)
        expect(decodeJwt(next.body.id_token as string).sub).toBe(sub)
      }
    },
  )

  it('carries the values of now: a changed name, picture, and address that is not confirmed', async () => {
    const person = await makeOwner()
    const { body } = await signInToApp(person.browser, web, { ...offline, scope: everything })
    const data = {
      name: 'New Name',
      email: 'new@example.test',
      emailVerifiedAt: null,
      avatarUrl: 'https://images.example.test/b.png',
    }
    await prisma().user.update({ where: { id: person.person.id }, data })
    expect((await learned(await refresh(web, body.refresh_token as string))).idToken).toEqual({
      name: 'New Name',
      email: 'new@example.test',
      email_verified: false,
      picture: expect.stringContaining('b.png'),
    })
  })

  it('carries no claim whose scope the refresh leaves out, or the user has revoked', async () => {
    const person = await makeOwner()
    const { body } = await signInToApp(person.browser, web, { ...offline, scope: everything })
    const less = await refresh(web, body.refresh_token as string, { scope: 'openid profile' })
    expect((await learned(less)).idToken).toEqual({ name: person.person.name })
    await prisma().authorization.updateMany({
      where: { clientId: web.clientId, userId: person.person.id },
      data: { scopes: ['openid', 'email', 'offline_access'] },
    })
    const left = await learned(await refresh(web, (less.body.refresh_token ?? body.refresh_token) as string))
    expect(left.idToken).toEqual({ email: person.person.email, email_verified: true })
  })

  it('M2: carries no claim asked for by name whose scope was not granted', async () => {
    const claims = JSON.stringify({ id_token: { email: null, name: null } })
    const { body } = await signInToApp((await makeOwner()).browser, cli, { ...offline, claims })
    expect((await learned(await refresh(cli, body.refresh_token as string))).idToken).toEqual({})
  })
})
