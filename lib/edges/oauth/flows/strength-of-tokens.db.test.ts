import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { createApiToken } from '@/lib/features/api-tokens/create-api-token'
import { sessionFromCookies } from '@/lib/features/identity/sessions/browser-session'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { type SignInMethod, startSession } from '@/lib/features/identity/sessions/start-session'
import { callerFromBearer } from '@/lib/policy/bearer'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import { offline, refresh, signInToApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner, web, cli } = await startOAuthWorld()

async function signedIn(methods: SignInMethod[]) {
  const sid = await startSession({}, owner.person.id, methods)
  return sessionCookie({ sub: owner.person.id, sid })
}

const isStrong = async (token: unknown) => (await callerFromBearer(String(token)))?.actor.twoFactor

const signIns: [SignInMethod[], boolean][] = [
  [['pwd'], false],
  [['pwd', 'otp', 'mfa'], true],
]

describe('M3: a token is as strong as the session that made it', () => {
  it.each([
    ['web', web],
    ['native', cli],
  ])('for a %s app, and so is what it is renewed for', async (_kind, app) => {
    for (const [methods, strong] of signIns) {
      const { body } = await signInToApp(new TestBrowser(await signedIn(methods)), app, offline)
      expect(await isStrong(body.access_token)).toBe(strong)
      const renewed = (await refresh(app, body.refresh_token as string)).body
      expect(await isStrong(renewed.access_token)).toBe(strong)
    }
  })

  it('for an API token, and for one that it makes', async () => {
    for (const [methods, strong] of signIns) {
      const cookie = (await signedIn(methods)).split(';')[0]
      const session = await sessionFromCookies(cookie, {})
      if (!session) throw new Error('nobody is signed in')
      const { value } = await createApiToken(session.actor, { name: 'everywhere' })
      expect(await isStrong(value)).toBe(strong)
      const caller = await callerFromBearer(value)
      if (!caller) throw new Error('no caller')
      expect(await isStrong((await createApiToken(caller.actor, { name: 'next' })).value)).toBe(strong)
    }
  })

  it('so an account token of a session that was kept out of a workspace does not reach it', async () => {
    await prisma().workspace.update({ where: { id: owner.workspace.id }, data: { requireTwoFactor: true } })
    const session = await sessionFromCookies((await signedIn(['pwd'])).split(';')[0], {})
    if (!session) throw new Error('nobody is signed in')
    const inWorkspace = createApiToken(session.actor, { name: 'one', workspaceId: owner.workspace.id })
    await expect(inWorkspace).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const { value } = await createApiToken(session.actor, { name: 'everywhere' })
    const ask = async (query: string) => {
      const response = await fetch(new URL('/graphql/v2', config().BASE_URL), {
        method: 'POST',
        headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      return response.json()
    }
    expect(await ask('{ me { workspaces { id } } }')).toMatchObject({ data: { me: { workspaces: [] } } })
    expect(
      await ask(`{ workspace(workspaceId: "${owner.workspace.id}") { members { email } } }`),
    ).toMatchObject({
      data: { workspace: null },
      errors: [{ extensions: { code: 'FORBIDDEN' }, message: expect.stringContaining('two-factor') }],
    })
  })
})
