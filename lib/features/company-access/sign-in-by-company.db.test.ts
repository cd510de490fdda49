import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makePerson, makeWorkspace } from '@/lib/testing/factories'
import { providerName } from './company-person'
import { signInByCompany } from './sign-in-by-company'

/** Whom the word of a company's provider signs in, and whom it does not. */
let domain: string
let workspaceId: string

beforeEach(async () => {
  domain = `${randomUUID()}.example.test`
  workspaceId = (await makeWorkspace([[await makePerson(), 'ADMIN']])).id
  await prisma().workspaceIdentityProvider.create({
    data: {
      workspaceId,
      issuer: `https://${domain}`,
      clientId: 'latchkey',
      domain,
      token: randomUUID(),
      verifiedAt: new Date(),
    },
  })
})

const at = (name: string) => `${name}@${domain}`
const makeGrace = (more: object = {}) => makePerson({ email: at('grace'), ...more })
const signIn = async (claims: object = {}) =>
  (
    await signInByCompany(workspaceId, {
      sub: '1',
      email: at('grace'),
      disowned: false,
      name: undefined,
      avatarUrl: undefined,
      ...claims,
    })
  ).userId
const forbidden = { code: 'FORBIDDEN' }
const linked = () => prisma().identity.count({ where: { provider: providerName(workspaceId) } })

describe('the word of a company’s provider', () => {
  it('signs in no account whose own address is in another domain by now', async () => {
    const { id } = await makeGrace()
    expect(await signIn()).toBe(id)
    const email = `${randomUUID()}@elsewhere.example.test`
    await prisma().user.update({ where: { id }, data: { email } })
    await expect(signIn()).rejects.toMatchObject(forbidden)
    await prisma().user.update({ where: { id }, data: { email: at('again') } })
    expect(await signIn()).toBe(id)
  })

  it('signs in no operator, neither by the address nor by what it knew before', async () => {
    const { id } = await makeGrace({ instanceAdmin: true })
    const set = (instanceAdmin: boolean) => prisma().user.update({ where: { id }, data: { instanceAdmin } })
    await expect(signIn()).rejects.toMatchObject(forbidden)
    expect(await linked()).toBe(0)
    await set(false)
    expect(await signIn()).toBe(id)
    await set(true)
    await expect(signIn()).rejects.toMatchObject(forbidden)
  })
})
