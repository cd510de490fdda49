import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { introspect } from '@/lib/testing/app-requests'
import { makeCompany, refusedFor, startProviders } from '@/lib/testing/company-world'
import { joinWorkspace, makePerson } from '@/lib/testing/factories'
import { native, startOAuthWorld } from '@/lib/testing/oauth-world'

/** Who may present an assertion of a company's provider, and whom it means. */
const { owner: vendor } = await startOAuthWorld()
const providers = await startProviders()
afterAll(() => providers.close())

const world = async () => makeCompany(await providers.make(), vendor)
type World = Awaited<ReturnType<typeof world>>

/** For whom the app got a token, as it is told. */
async function meant({ app, redeem }: World, assertion: string): Promise<unknown> {
  const { access_token: token } = (await redeem(assertion)).body
  return token ? (await introspect(app, token)).sub : 'nobody'
}

describe('whoever presents an assertion', () => {
  it('is an app that an admin let in; to every other there is no such grant', async () => {
    const { assertion, redeem, app, workspaceId } = await world()
    const plain = await vendor.makeApp()
    const cli = await vendor.makeApp(native)
    for (const each of [plain, cli]) {
      const { status, body } = await redeem(await assertion({ client_id: each.clientId }), {}, each)
      expect([status, body.error]).toEqual([400, 'unsupported_grant_type'])
    }
    await prisma().managedApp.deleteMany({ where: { workspaceId, clientId: app.clientId } })
    expect((await redeem(await assertion())).body.error).toBe('unsupported_grant_type')
  })

  it('authenticates as the client that the assertion names', async () => {
    const [one, other] = [await world(), await world()]
    const sent = await one.assertion()
    expect(await other.redeem(sent)).toMatchObject(refusedFor('client'))
    const wrong = { ...one.app, secret: 'lk_cs_no' }
    expect((await one.redeem(sent, {}, wrong)).body.error).toBe('invalid_client')
    expect((await one.redeem(sent, {}, { ...one.app, secret: undefined })).body.error).toBe('invalid_client')
    expect((await one.redeem(sent)).status).toBe(200)
  })

  it('is let in by the workspace that the person is of, not by another', async () => {
    const [one, other] = [await world(), await world()]
    await other.allow(['workspace:admin'], one.app.clientId)
    await prisma().managedApp.deleteMany({ where: { workspaceId: one.workspaceId } })
    expect(await one.redeem(await one.assertion())).toMatchObject(refusedFor('not-allowed'))
  })
})

describe('whom an assertion means', () => {
  it('is who its subject was the first time, whatever the address says later', async () => {
    const here = await world()
    const { redeem, assertion, person, owner, domain } = here
    expect((await redeem(await assertion())).status).toBe(200)
    await prisma().user.update({ where: { id: person.id }, data: { email: `former@${domain}` } })
    const newcomer = await makePerson({ email: `grace@${domain}` })
    await joinWorkspace(owner.workspace, newcomer, 'ADMIN')
    expect(await meant(here, await assertion())).toBe(person.id)
    expect(await meant(here, await assertion({ sub: randomUUID() }))).toBe(newcomer.id)
    expect(await redeem(await assertion({ sub: randomUUID() }))).toMatchObject(refusedFor('changed'))
  })

  it('is nobody whose own address is in another domain by now, and no operator', async () => {
    const { redeem, assertion, person, domain } = await world()
    const set = (data: object) => prisma().user.update({ where: { id: person.id }, data })
    await set({ instanceAdmin: true })
    expect(await redeem(await assertion())).toMatchObject(refusedFor('unknown'))
    await set({ instanceAdmin: false })
    expect((await redeem(await assertion())).status).toBe(200)
    await set({ instanceAdmin: true })
    expect(await redeem(await assertion())).toMatchObject(refusedFor('unknown'))
    await set({ instanceAdmin: false, email: `${randomUUID()}@elsewhere.example.test` })
    expect(await redeem(await assertion())).toMatchObject(refusedFor('unknown'))
    expect(await redeem(await assertion({ email: undefined }))).toMatchObject(refusedFor('unknown'))
    await set({ email: `again@${domain}` })
    expect((await redeem(await assertion({ email: undefined }))).status).toBe(200)
  })

  it('is one of the tenant that it named first', async () => {
    const here = await world()
    const { assertion, person, owner, domain } = here
    const other = await makePerson({ email: `ada@${domain}` })
    await joinWorkspace(owner.workspace, other, 'VIEWER')
    expect(await meant(here, await assertion({ tenant: 'one', sub: '1' }))).toBe(person.id)
    for (const tenant of ['two', '%', undefined]) {
      const stranger = await assertion({ tenant, sub: '1', email: other.email })
      expect(await here.redeem(stranger)).toMatchObject(refusedFor('tenant'))
    }
    expect(await meant(here, await assertion({ tid: 'one', sub: '2', email: other.email }))).toBe(other.id)
  })

  it('is nobody whose address here is not verified, who is no member, or who is suspended', async () => {
    const { redeem, assertion, person, workspaceId } = await world()
    const set = (data: object) => prisma().user.update({ where: { id: person.id }, data })
    await set({ emailVerifiedAt: null })
    expect(await redeem(await assertion())).toMatchObject(refusedFor('unknown'))
    await set({ emailVerifiedAt: new Date(), suspendedAt: new Date() })
    expect(await redeem(await assertion())).toMatchObject(refusedFor('outside'))
    await set({ suspendedAt: null })
    await prisma().workspaceMember.deleteMany({ where: { workspaceId, userId: person.id } })
    expect(await redeem(await assertion())).toMatchObject(refusedFor('unknown'))
  })

  it('is of the company whose domain it is, where several share an issuer', async () => {
    const provider = await providers.make()
    const [one, other] = [await makeCompany(provider, vendor), await makeCompany(provider, vendor)]
    await other.allow(['workspace:member'], one.app.clientId)
    const says = async (changes: object) => meant(one, await one.assertion(changes))
    expect(await says({})).toBe(one.person.id)
    expect(await says({ email: other.person.email, sub: other.subject })).toBe(other.person.id)
    // A subject alone is enough once it is known.
    expect(await says({ email: undefined, sub: other.subject })).toBe(other.person.id)
  })

  it('is nobody while the domain is not proven', async () => {
    const { redeem, assertion, workspaceId } = await world()
    await prisma().workspaceIdentityProvider.update({ where: { workspaceId }, data: { verifiedAt: null } })
    expect(await redeem(await assertion())).toMatchObject(refusedFor('issuer'))
  })
})
