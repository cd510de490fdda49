import { beforeAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { approveApp, blockApp } from '@/lib/features/app-access/decide'
import { setPolicy } from '@/lib/features/app-access/set-policy'
import type { AppPolicy } from '@/lib/generated/prisma/enums'
import type { Role } from '@/lib/policy/roles'
import { askApi, introspect } from '@/lib/testing/app-requests'
import { joinWorkspace, makeClient, makePerson, makeWorkspace } from '@/lib/testing/factories'
import { openConsent, outcome } from '@/lib/testing/oauth-consent'
import { beginDevice, personAtDevicePages, pollDevice } from '@/lib/testing/oauth-device'
import { authorize, refresh, signInToApp, type TestApp, userinfo } from '@/lib/testing/oauth-flow'
import { signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'

/** Policy x role x kind of app x door, through the product's own server. */
const { server, owner } = await startOAuthWorld()
const admin = { kind: 'session', userId: owner.person.id, sessionId: 's', instanceAdmin: false } as const
const workspaceId = owner.workspace.id
const scope = 'openid email offline_access workspace:admin'

async function appOf(kind: string): Promise<TestApp> {
  const elsewhere = kind === 'another workspace’s' ? await makeWorkspace() : undefined
  const { client, secret } = await makeClient(kind === 'an own' ? owner.workspace : elsewhere, {
    ...(kind === 'a self-registered' && {
      source: 'DYNAMIC' as const,
      metadata: { application_type: 'web' },
    }),
  })
  let clientId = client.id
  if (kind === 'a self-registered') {
    clientId = `dyn_${client.id}`
    await pool().query('UPDATE oauth_clients SET id = $1 WHERE id = $2', [clientId, client.id])
  }
  return { clientId, secret, redirectUri: client.redirectUris[0] as string }
}

const rules: Record<string, (clientId: string) => Promise<unknown>> = {
  'everybody’s apps': () => set('OPEN'),
  'approved, and this one is not': () => set('APPROVED'),
  'approved to read': async (clientId) => {
    await set('APPROVED')
    await approveApp(admin, workspaceId, clientId, { scopes: ['workspace:viewer'] })
  },
  'approved, and that has ended': async (clientId) => {
    await set('APPROVED')
    await approveApp(admin, workspaceId, clientId, { scopes: ['workspace:admin'] })
    await prisma().workspaceApp.updateMany({ where: { clientId }, data: { expiresAt: new Date(0) } })
  },
  'own apps only': () => set('OWN'),
  'everybody’s apps, this one blocked': async (clientId) => {
    await set('OPEN')
    await blockApp(admin, workspaceId, clientId)
  },
}
const set = (policy: AppPolicy) => setPolicy(admin, workspaceId, { policy })

/** A request without a page that was pushed before, as what is left of it in the address. */
async function pushed(app: TestApp) {
  const fields = { client_id: app.clientId, redirect_uri: app.redirectUri, response_type: 'code', scope }
  const body = new URLSearchParams({ ...fields, prompt: 'none' })
  const answer = await server.fetch('/oauth/request', { method: 'POST', body })
  const { request_uri } = (await answer.json()) as { request_uri: string }
  return {
    request_uri,
    redirect_uri: undefined,
    response_type: undefined,
    scope: undefined,
    state: undefined,
  }
}

/** Somebody answers a device that asks for the workspace. @returns whether it got a token */
async function letsDeviceIn(app: TestApp, personId: string): Promise<boolean> {
  const { body } = await beginDevice(app, { scope })
  const pages = await personAtDevicePages(personId)
  await pages.decide(String(body.user_code), 'authorize', [['workspace', workspaceId]])
  return (await pollDevice(app, String(body.device_code))).status === 200
}

type Reach = 'all' | 'read' | 'none'
/** How far each kind comes in, before the person's role: an own app, and the other two. */
const expected: Record<string, [own: Reach, others: Reach]> = {
  'everybody’s apps': ['all', 'all'],
  'approved, and this one is not': ['all', 'none'],
  'approved to read': ['all', 'read'],
  'approved, and that has ended': ['all', 'none'],
  'own apps only': ['all', 'none'],
  'everybody’s apps, this one blocked': ['none', 'none'],
}

describe.each<Role>(['ADMIN', 'MEMBER', 'VIEWER'])('for an app that somebody who is %s let in', (role) => {
  describe.each(['an own', 'another workspace’s', 'a self-registered'])('%s app', (kind) => {
    let app: TestApp
    let browser: Awaited<ReturnType<typeof signedInBrowser>>
    let personId: string
    let tokens: Record<string, unknown>
    beforeAll(async () => {
      // Codes of devices are typed more often here than anybody may.
      await prisma().rateLimit.deleteMany()
      await set('OPEN')
      app = await appOf(kind)
      const person = await makePerson()
      await joinWorkspace(owner.workspace, person, role)
      personId = person.id
      browser = await signedInBrowser(person.id)
      tokens = (await signInToApp(browser, app, { scope, prompt: 'consent' }, { workspaces: [workspaceId] }))
        .body
    })

    it.each(Object.keys(rules))('%s', async (rule) => {
      await prisma().workspaceApp.deleteMany({ where: { workspaceId } })
      await rules[rule]?.(app.clientId)
      const reach = expected[rule]?.[kind === 'an own' ? 0 : 1]
      const no = 'APP_NOT_APPROVED'

      // What was issued before, and what it is renewed for now.
      const issued = tokens.access_token
      const renewed = (await refresh(app, String(tokens.refresh_token))).body
      tokens = { ...tokens, ...renewed }
      for (const token of [issued, renewed.access_token]) {
        const read = await askApi(String(token), `{ workspace(workspaceId: "${workspaceId}") { id } }`)
        expect(read.code).toBe(reach === 'none' ? no : 'ok')
        const write = await askApi(
          String(token),
          `mutation { workspaceUpdate(id: "${workspaceId}", input: { name: "Named" }) { id } }`,
        )
        expect(write.code).toBe(reach !== 'all' ? no : role === 'ADMIN' ? 'ok' : 'FORBIDDEN')
        const list = await askApi(String(token), '{ me { workspaces { id } } }')
        expect(list.data.me.workspaces).toHaveLength(reach === 'none' ? 0 : 1)
        // A workspace closes itself, not the person.
        expect((await introspect(app, String(token))).active).toBe(true)
        expect((await userinfo(String(token))).body).toMatchObject({ email: expect.any(String) })
      }

      // Nothing that is closed is granted again, asked or unasked, pushed or for a device.
      const granted = reach === 'none' ? 'consent_required' : 'code'
      expect(await outcome(browser, app, { scope, prompt: 'none' })).toBe(granted)
      expect(await outcome(browser, app, await pushed(app))).toBe(granted)
      expect(await letsDeviceIn(app, personId)).toBe(reach !== 'none')
      if (reach !== 'none') return
      const answer = authorize(browser, app, { scope, prompt: 'consent' }, { workspaces: [workspaceId] })
      await expect(answer).rejects.toThrow('"kind":"consent"')
    })
  })
})

it('asks an admin from the consent page, who approves from theirs; both come back to it', async () => {
  await set('APPROVED')
  const app = await appOf('a self-registered')
  const grace = await makePerson()
  await joinWorkspace(owner.workspace, grace, 'MEMBER')
  const browser = await signedInBrowser(grace.id)
  const answer = async (of: typeof browser, decision: string) => {
    const page = await openConsent(of, app, { scope })
    const fields: [string, string][] = [
      ['decision', decision],
      ['ask', workspaceId],
      ['reason', 'For work'],
    ]
    const response = await of.submit(`${page}/decision`, fields)
    return new URL(response.headers.get('location') ?? response.url, config().BASE_URL)
  }
  // Nobody but an admin approves, whatever their form says.
  expect((await answer(browser, 'approve')).searchParams.get('asked')).toBe('no')
  const asked = await answer(browser, 'ask')
  expect([asked.pathname.split('/')[1], asked.searchParams.get('asked')]).toEqual(['interaction', 'yes'])
  const where = { workspaceId, clientId: app.clientId }
  expect(await prisma().workspaceAppRequest.findFirst({ where })).toMatchObject({
    userId: grace.id,
    scopes: ['workspace:admin'],
    reason: 'For work',
  })
  expect((await answer(owner.browser, 'approve')).searchParams.get('asked')).toBe('approved')
  const granted = await signInToApp(browser, app, { scope, prompt: 'consent' }, { workspaces: [workspaceId] })
  expect(granted.body.access_token).toEqual(expect.any(String))
})
