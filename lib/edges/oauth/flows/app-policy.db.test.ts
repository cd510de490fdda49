import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { installApp, installationResource } from '@/lib/features/app-access/installations'
import { setPolicy } from '@/lib/features/app-access/policy'
import type { Role } from '@/lib/policy/scopes'
import { introspect, pushRequest, queryApi } from '@/lib/testing/app-requests'
import { type AppKind, appKinds, applyRule, makeAppOfKind, ruleNames } from '@/lib/testing/app-rules'
import { joinWorkspace, makeUser } from '@/lib/testing/factories'
import { grant, sessionOf } from '@/lib/testing/installation-world'
import { openConsent, outcome } from '@/lib/testing/oauth-consent'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import {
  authorize,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
  userinfo,
} from '@/lib/testing/oauth-flow'
import { makeOwner, type Owner, signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'
import { makeSsoWorkspace, refusedFor, startProviders } from '@/lib/testing/sso-world'

const { owner } = await startOAuthWorld()

describe('apps that users authorize', () => {
  /**
   * Tests each policy, role, kind of app, and endpoint over HTTP, for apps that users authorize. Apps that
   * admins allow or that an SSO connection manages are tested below.
   */
  const admin = sessionOf(owner)
  const workspaceId = owner.workspace.id
  const scope = 'openid email offline_access workspace:admin'

  const appOf = (kind: AppKind) => makeAppOfKind(kind, owner.workspace)
  const place = { admin, workspaceId }

  /** Pushes an authorization request with prompt=none. @returns the URL parameters that refer to it */
  async function pushed(app: TestApp) {
    const { body } = await pushRequest({ ...app, secret: undefined }, { scope, prompt: 'none' })
    return {
      request_uri: String(body.request_uri),
      redirect_uri: undefined,
      response_type: undefined,
      scope: undefined,
      state: undefined,
    }
  }

  /** Authorizes a device for the workspace. @returns whether it received a token */
  async function letsDeviceIn(app: TestApp, userId: string): Promise<boolean> {
    const { body } = await beginDevice(app, { scope })
    const pages = await userAtDevicePages(userId)
    await pages.decide(String(body.user_code), 'authorize', [['workspace', workspaceId]])
    return (await pollDevice(app, String(body.device_code))).status === 200
  }

  describe.each<Role>(['ADMIN', 'MEMBER', 'VIEWER'])('for a user with the role %s', (role) => {
    describe.each(appKinds)('%s app', (kind) => {
      let app: TestApp
      let browser: Awaited<ReturnType<typeof signedInBrowser>>
      let userId: string
      let tokens: Record<string, unknown>
      beforeAll(async () => {
        // These tests enter more device codes than the limit allows.
        await prisma().rateLimit.deleteMany()
        await setPolicy(admin, workspaceId, { policy: 'OPEN' })
        app = await appOf(kind)
        const user = await makeUser()
        await joinWorkspace(owner.workspace, user, role)
        userId = user.id
        browser = await signedInBrowser(user.id)
        tokens = (
          await signInToApp(browser, app, { scope, prompt: 'consent' }, { workspaces: [workspaceId] })
        ).body
      })

      it.each(ruleNames)('has only the access that the policy allows: %s', async (rule) => {
        const { own, others } = await applyRule(place, rule, app.clientId)
        const reach = kind === 'the workspace’s own' ? own : others
        const no = 'APP_NOT_APPROVED'

        // Check the earlier token and the token from a refresh.
        const issued = tokens.access_token
        const renewed = (await refresh(app, String(tokens.refresh_token))).body
        tokens = { ...tokens, ...renewed }
        for (const token of [issued, renewed.access_token]) {
          const read = await queryApi(String(token), `{ workspace(workspaceId: "${workspaceId}") { id } }`)
          expect(read.code).toBe(reach === 'none' ? no : 'ok')
          const write = await queryApi(
            String(token),
            `mutation { workspaceUpdate(id: "${workspaceId}", input: { name: "Named" }) { id } }`,
          )
          expect(write.code).toBe(reach !== 'all' ? no : role === 'ADMIN' ? 'ok' : 'FORBIDDEN')
          const list = await queryApi(String(token), '{ me { workspaces { id } } }')
          expect(list.data.me.workspaces).toHaveLength(reach === 'none' ? 0 : 1)
          // The policy blocks access to the workspace, but not to the user's own data.
          expect((await introspect(app, String(token))).active).toBe(true)
          expect((await userinfo(String(token))).body).toMatchObject({ email: expect.any(String) })
        }

        // While access is blocked, no flow grants it again.
        const granted = reach === 'none' ? 'consent_required' : 'code'
        expect(await outcome(browser, app, { scope, prompt: 'none' })).toBe(granted)
        expect(await outcome(browser, app, await pushed(app))).toBe(granted)
        expect(await letsDeviceIn(app, userId)).toBe(reach !== 'none')
        if (reach !== 'none') return
        const answer = authorize(browser, app, { scope, prompt: 'consent' }, { workspaces: [workspaceId] })
        await expect(answer).rejects.toThrow('"kind":"consent"')
      })
    })
  })

  it('is not the workspace’s own app while its transfer to the workspace is unfinished', async () => {
    await setPolicy(admin, workspaceId, { policy: 'OWN' })
    const app = await appOf('the workspace’s own')
    const browser = await signedInBrowser(owner.user.id)
    await signInToApp(browser, app, { scope, prompt: 'consent' }, { workspaces: [workspaceId] })
    expect(await outcome(browser, app, { scope, prompt: 'none' })).toBe('code')
    const transferredAt = new Date()
    await prisma().oAuthClient.update({ where: { id: app.clientId }, data: { transferredAt } })
    expect(await outcome(browser, app, { scope, prompt: 'none' })).toBe('consent_required')
  })

  it('can be authorized after a member requests approval on the consent page and an admin, not the member, approves', async () => {
    await setPolicy(admin, workspaceId, { policy: 'APPROVED' })
    const app = await appOf('a self-registered')
    const grace = await makeUser()
    await joinWorkspace(owner.workspace, grace, 'MEMBER')
    const browser = await signedInBrowser(grace.id)
    const answer = async (of: typeof browser, decision: string) => {
      const page = await openConsent(of, app, { scope })
      const fields: [string, string][] = [
        ['decision', `${decision}:${workspaceId}`],
        ['reason', 'For work'],
      ]
      const response = await of.submit(`${page}/decision`, fields)
      return new URL(response.headers.get('location') ?? response.url, config().BASE_URL)
    }
    // A member cannot approve the app, even with the form of an admin.
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
    const granted = await signInToApp(
      browser,
      app,
      { scope, prompt: 'consent' },
      { workspaces: [workspaceId] },
    )
    expect(granted.body.access_token).toEqual(expect.any(String))
  })
})

describe('apps that admins allow', async () => {
  /** Runs the same tests as above for apps that no user authorizes: installations and SSO-managed apps. */
  const providers = await startProviders()
  afterAll(() => providers.close())

  /**
   * Reads a workspace at each API endpoint. @returns the error code of each, and how many workspaces or
   * projects the token can see
   */
  async function atTheApi(token: string, workspaceId: string, list: string) {
    const ask = async (query: string) => (await queryApi(token, query)).code
    const { data } = await queryApi(token, list)
    return {
      read: await ask(`{ workspace(workspaceId: "${workspaceId}") { id } }`),
      write: await ask(
        `mutation { projectCreate(input: { workspaceId: "${workspaceId}", name: "Nightly" }) { id } }`,
      ),
      administer: await ask(
        `mutation { workspaceUpdate(id: "${workspaceId}", input: { name: "Named" }) { id } }`,
      ),
      sees: JSON.stringify(data ?? {}).split('"id"').length - 1,
    }
  }

  const dead = { read: 'UNAUTHENTICATED', write: 'UNAUTHENTICATED', administer: 'UNAUTHENTICATED', sees: 0 }

  /** The reasons why an SSO-managed app is blocked. */
  const refusals: Record<string, Parameters<typeof refusedFor>[0]> = {
    'approved apps, this one not approved': 'not-approved',
    'approved apps, this approval has expired': 'ended',
    'own apps only': 'own-apps-only',
    'all apps, this one blocked': 'blocked',
  }

  /** A self-registered app has no admin who can make it installable. */
  const installable = appKinds.filter((kind) => kind !== 'a self-registered')

  describe.each(['workspace:viewer', 'workspace:member'])('as an installation with the scope %s', (scope) => {
    describe.each(installable)('%s app', (kind) => {
      let owner: Owner
      let app: TestApp
      let resource: string
      let issued: string
      const request = () => requestToken(app, { ...grant, resource })
      beforeAll(async () => {
        owner = await makeOwner()
        const { id } = owner.workspace
        app = await makeAppOfKind(kind, owner.workspace)
        const data = { installScopes: ['workspace:member'], version: { increment: 1 } }
        await prisma().oAuthClient.update({ where: { id: app.clientId }, data })
        await installApp(sessionOf(owner), id, app.clientId, { scopes: [scope] })
        const where = { workspaceId: id, clientId: app.clientId }
        resource = installationResource((await prisma().installation.findFirstOrThrow({ where })).id)
        issued = String((await request()).body.access_token)
      })

      it.each(ruleNames)('has only the access that the policy allows: %s', async (rule) => {
        const { id } = owner.workspace
        const place = { admin: sessionOf(owner), workspaceId: id }
        const { own, installed } = await applyRule(place, rule, app.clientId)
        const reach = kind === 'the workspace’s own' ? own : installed
        const { status, body } = await request()
        expect([status, body.error]).toEqual(reach === 'none' ? [400, 'invalid_target'] : [200, undefined])
        expect((await introspect(app, issued)).active).toBe(reach !== 'none')
        for (const token of [issued, ...(body.access_token ? [body.access_token] : [])]) {
          const expected = {
            read: 'ok',
            write: scope === 'workspace:member' ? 'ok' : 'INSUFFICIENT_SCOPE',
            // An installation never gets admin access.
            administer: 'FORBIDDEN',
            sees: 1,
          }
          const result = await atTheApi(token, id, '{ projects(first: 1) { nodes { id } } }')
          expect(result).toEqual(reach === 'none' ? dead : expected)
        }
      })
    })
  })

  describe.each<Role>(['ADMIN', 'MEMBER', 'VIEWER'])(
    'with SSO-managed access for a user with the role %s',
    (role) => {
      describe.each(appKinds)('%s app', (kind) => {
        let sso: Awaited<ReturnType<typeof makeSsoWorkspace>>
        let app: TestApp
        let issued: string
        const redeem = async () => {
          const claims = { client_id: app.clientId, scope: undefined, resource: undefined }
          return sso.redeem(await sso.assertion(claims), {}, app)
        }
        beforeAll(async () => {
          sso = await makeSsoWorkspace(await providers.make(), owner)
          const { owner: customer, user, workspaceId, allow } = sso
          app = await makeAppOfKind(kind, customer.workspace)
          await allow(['workspace:admin'], app.clientId)
          const where = { workspaceId_userId: { workspaceId, userId: user.id } }
          await prisma().workspaceMember.update({ where, data: { role } })
          await setPolicy(sessionOf(customer), workspaceId, { policy: 'OPEN' })
          issued = String((await redeem()).body.access_token)
        })

        it.each(ruleNames)('has only the access that the policy allows: %s', async (rule) => {
          const { owner, workspaceId } = sso
          const place = { admin: sessionOf(owner), workspaceId }
          // Admins decide about SSO-managed access and the app policy separately.
          const { own, others } = await applyRule(place, rule, app.clientId)
          const reach = kind === 'the workspace’s own' ? own : others
          const blocked = rule.includes('blocked')
          const answer = await redeem()
          const refused = reach === 'none' && refusals[rule]
          expect(answer).toMatchObject(refused ? refusedFor(refused) : { status: 200 })
          expect((await introspect(app, issued)).active).toBe(!blocked)
          for (const token of [issued, ...(refused ? [] : [String(answer.body.access_token)])]) {
            const no = 'APP_NOT_APPROVED'
            const result = await atTheApi(token, workspaceId, '{ me { workspaces { id } } }')
            const expected = {
              read: reach === 'none' ? no : 'ok',
              write: reach !== 'all' ? no : role === 'VIEWER' ? 'FORBIDDEN' : 'ok',
              administer: reach !== 'all' ? no : role === 'ADMIN' ? 'ok' : 'FORBIDDEN',
              sees: reach === 'none' ? 0 : 1,
            }
            expect(result).toEqual(blocked ? dead : expected)
          }
        })
      })
    },
  )
})
