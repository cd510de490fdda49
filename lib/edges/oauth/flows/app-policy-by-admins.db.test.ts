import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { installApp, installationResource } from '@/lib/features/app-access/installations'
import { setPolicy } from '@/lib/features/app-access/policy'
import type { Role } from '@/lib/policy/scopes'
import { askApi, introspect } from '@/lib/testing/app-requests'
import { appKinds, applyRule, makeAppOfKind, ruleNames } from '@/lib/testing/app-rules'
import { makeCompany, refusedFor, startProviders } from '@/lib/testing/company-world'
import { grant, sessionOf } from '@/lib/testing/installation-world'
import { requestToken, type TestApp } from '@/lib/testing/oauth-flow'
import { makeOwner, type Owner, startOAuthWorld } from '@/lib/testing/oauth-world'

/**
 * Policy x role x kind of app x door, as in app-policy.db.test.ts, for what no person let in: installations, and apps that a
 * company's provider sends.
 */
const { owner: vendor } = await startOAuthWorld()
const providers = await startProviders()
afterAll(() => providers.close())

/** The doors of the API at which a token may be told of a workspace. @returns the code of each, and how many workspaces or projects it sees */
async function atTheApi(token: string, workspaceId: string, list: string) {
  const ask = async (query: string) => (await askApi(token, query)).code
  const { data } = await askApi(token, list)
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

/** What keeps an app out by whom a provider sends it is told in words of its own. */
const refusals: Record<string, Parameters<typeof refusedFor>[0]> = {
  'approved, and this one is not': 'not-approved',
  'approved, and that has ended': 'ended',
  'own apps only': 'own-apps-only',
  'everybody’s apps, this one blocked': 'blocked',
}

/** One that registered itself has nobody who says that it can be installed. */
const installable = appKinds.filter((kind) => kind !== 'a self-registered')

describe.each(['workspace:viewer', 'workspace:member'])('an app that is installed with %s', (scope) => {
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

    it.each(ruleNames)('%s', async (rule) => {
      const { id } = owner.workspace
      const place = { admin: sessionOf(owner), workspaceId: id }
      const { own, installed } = await applyRule(place, rule, app.clientId)
      const reach = kind === 'an own' ? own : installed
      const { status, body } = await request()
      expect([status, body.error]).toEqual(reach === 'none' ? [400, 'invalid_target'] : [200, undefined])
      expect((await introspect(app, issued)).active).toBe(reach !== 'none')
      for (const token of [issued, ...(body.access_token ? [body.access_token] : [])]) {
        const expected = {
          read: 'ok',
          write: scope === 'workspace:member' ? 'ok' : 'INSUFFICIENT_SCOPE',
          // What gives access is no installation's, whatever admins say of it.
          administer: 'FORBIDDEN',
          sees: 1,
        }
        const told = await atTheApi(token, id, '{ projects(first: 1) { nodes { id } } }')
        expect(told).toEqual(reach === 'none' ? dead : expected)
      }
    })
  })
})

describe.each<Role>(['ADMIN', 'MEMBER', 'VIEWER'])(
  'an app that a provider sends for somebody who is %s',
  (role) => {
    describe.each(appKinds)('%s app', (kind) => {
      let company: Awaited<ReturnType<typeof makeCompany>>
      let app: TestApp
      let issued: string
      const redeem = async () => {
        const claims = { client_id: app.clientId, scope: undefined, resource: undefined }
        return company.redeem(await company.assertion(claims), {}, app)
      }
      beforeAll(async () => {
        company = await makeCompany(await providers.make(), vendor)
        const { owner, person, workspaceId, allow } = company
        app = await makeAppOfKind(kind, owner.workspace)
        await allow(['workspace:admin'], app.clientId)
        const where = { workspaceId_userId: { workspaceId, userId: person.id } }
        await prisma().workspaceMember.update({ where, data: { role } })
        await setPolicy(sessionOf(owner), workspaceId, { policy: 'OPEN' })
        issued = String((await redeem()).body.access_token)
      })

      it.each(ruleNames)('%s', async (rule) => {
        const { owner, workspaceId } = company
        const place = { admin: sessionOf(owner), workspaceId }
        // That it was let in at all is one word of the admins, and what they say of apps another.
        const { own, others } = await applyRule(place, rule, app.clientId)
        const reach = kind === 'an own' ? own : others
        const blocked = rule.includes('blocked')
        const answer = await redeem()
        const refused = reach === 'none' && refusals[rule]
        expect(answer).toMatchObject(refused ? refusedFor(refused) : { status: 200 })
        expect((await introspect(app, issued)).active).toBe(!blocked)
        for (const token of [issued, ...(refused ? [] : [String(answer.body.access_token)])]) {
          const no = 'APP_NOT_APPROVED'
          const told = await atTheApi(token, workspaceId, '{ me { workspaces { id } } }')
          const expected = {
            read: reach === 'none' ? no : 'ok',
            write: reach !== 'all' ? no : role === 'VIEWER' ? 'FORBIDDEN' : 'ok',
            administer: reach !== 'all' ? no : role === 'ADMIN' ? 'ok' : 'FORBIDDEN',
            sees: reach === 'none' ? 0 : 1,
          }
          expect(told).toEqual(blocked ? dead : expected)
        }
      })
    })
  },
)
