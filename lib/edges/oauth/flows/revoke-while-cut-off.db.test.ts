import { afterAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { resumeInstallation, suspendInstallation } from '@/lib/features/app-access/installations'
import { askApi, introspect, revoke } from '@/lib/testing/app-requests'
import { makeCompany, startProviders } from '@/lib/testing/company-world'
import { makePerson } from '@/lib/testing/factories'
import { makeInstallationWorld } from '@/lib/testing/installation-world'
import { offline, refresh, signInToApp, type TestApp, userinfo } from '@/lib/testing/oauth-flow'
import { signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'

/** What an app takes back while it counts for nothing does not come back when it counts again (RFC 7009). */
const { owner: vendor } = await startOAuthWorld()
const providers = await startProviders()
afterAll(() => providers.close())

type Person = { id: string }
const suspended = ({ id }: Person, yes: boolean) =>
  prisma().user.update({ where: { id }, data: { suspendedAt: yes ? new Date() : null } })

/** Each cuts off what somebody allowed an app, or lets it count again. */
const cutOffs: Record<string, (app: TestApp, person: Person, yes: boolean) => Promise<unknown>> = {
  'by an app in development': ({ clientId }, _, inDevelopment) =>
    prisma().oAuthClient.update({
      where: { id: clientId },
      data: { inDevelopment, version: { increment: 1 } },
    }),
  'with its person suspended': (_, person, yes) => suspended(person, yes),
}

describe.each(Object.entries(cutOffs))('what a person allowed, cut off %s', (_, cutOff) => {
  async function signedIn() {
    const [app, person] = [await vendor.makeApp(), await makePerson()]
    const { body } = await signInToApp(await signedInBrowser(person.id), app, offline)
    return { app, person, access: String(body.access_token), renewal: String(body.refresh_token) }
  }

  it('stays revoked: the access token alone, the refresh token with its sign-in', async () => {
    const { app, person, access, renewal } = await signedIn()
    await cutOff(app, person, true)
    expect(await revoke(app, access)).toBe(200)
    await cutOff(app, person, false)
    expect((await userinfo(access)).status).toBe(401)
    const renewed = await refresh(app, renewal)
    expect(renewed.status).toBe(200)
    const next = String(renewed.body.refresh_token)
    await cutOff(app, person, true)
    expect(await revoke(app, next)).toBe(200)
    await cutOff(app, person, false)
    expect((await refresh(app, next)).body.error).toBe('invalid_grant')
    expect((await userinfo(String(renewed.body.access_token))).status).toBe(401)
  })

  it('is not for another app to revoke', async () => {
    const { app, person, access, renewal } = await signedIn()
    const other = await vendor.makeApp()
    await cutOff(app, person, true)
    for (const token of [access, renewal]) await revoke(other, token)
    await cutOff(app, person, false)
    expect((await userinfo(access)).status).toBe(200)
    expect((await refresh(app, renewal)).status).toBe(200)
  })
})

describe('a token of an app by itself', () => {
  it('stays revoked when its installation is suspended and resumed, and is not for another app to revoke', async () => {
    const { app, admin, workspaceId, token } = await makeInstallationWorld(vendor)
    const [one, two] = [await token(), await token()]
    await suspendInstallation(admin, workspaceId, app.clientId)
    expect(await revoke(app, one)).toBe(200)
    await revoke(await vendor.makeApp(), two)
    await resumeInstallation(admin, workspaceId, app.clientId)
    expect((await askApi(one, '{ currentToken { kind } }')).code).toBe('UNAUTHENTICATED')
    expect((await introspect(app, two)).active).toBe(true)
  })

  it('stays revoked when its person, by a provider’s word, is suspended and let in again', async () => {
    const { app, person, redeem, assertion } = await makeCompany(await providers.make(), vendor)
    const [one, two] = [await redeem(await assertion()), await redeem(await assertion())].map(({ body }) =>
      String(body.access_token),
    ) as [string, string]
    await suspended(person, true)
    expect(await revoke(app, one)).toBe(200)
    await suspended(person, false)
    expect((await introspect(app, one)).active).toBe(false)
    expect((await introspect(app, two)).active).toBe(true)
  })
})
