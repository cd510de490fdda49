import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { providerName } from '@/lib/policy/required-sso'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { signInWithSso } from './sign-in-with-sso'

/** The domain of the SSO connection. */
let domain: string
let workspaceId: string
/** The issuer of the SSO connection. */
let issuer: string

beforeEach(async () => {
  domain = `${randomUUID()}.example.test`
  issuer = `https://${domain}/own/`
  workspaceId = (await makeWorkspace([[await makeUser(), 'ADMIN']])).id
  await prisma().workspaceIdentityProvider.create({
    data: {
      workspaceId,
      issuer,
      clientId: 'latchkey',
      domain,
      token: randomUUID(),
      verifiedAt: new Date(),
    },
  })
})

const at = (name: string) => `${name}@${domain}`
const makeGrace = (more: object = {}) => makeUser({ email: at('grace'), ...more })
const signIn = async (claims: object = {}) =>
  (
    await signInWithSso(
      { workspaceId, issuer },
      {
        sub: '1',
        email: at('grace'),
        name: undefined,
        avatarUrl: undefined,
        ...claims,
      },
    )
  ).userId
const setIssuer = (named: string) =>
  prisma().workspaceIdentityProvider.update({ where: { workspaceId }, data: { issuer: named } })
const forbidden = { code: 'FORBIDDEN' }
const linked = () => prisma().identity.count({ where: { provider: providerName(workspaceId) } })

describe('an SSO connection', () => {
  it('rejects an account whose email address is now in another domain', async () => {
    const { id } = await makeGrace()
    expect(await signIn()).toBe(id)
    const email = `${randomUUID()}@elsewhere.example.test`
    await prisma().user.update({ where: { id }, data: { email } })
    await expect(signIn()).rejects.toMatchObject(forbidden)
    await prisma().user.update({ where: { id }, data: { email: at('again') } })
    expect(await signIn()).toBe(id)
  })

  it('rejects instance admins, even if their email address or subject matches', async () => {
    const { id } = await makeGrace({ instanceAdmin: true })
    const set = (instanceAdmin: boolean) => prisma().user.update({ where: { id }, data: { instanceAdmin } })
    await expect(signIn()).rejects.toMatchObject(forbidden)
    expect(await linked()).toBe(0)
    await set(false)
    expect(await signIn()).toBe(id)
    await set(true)
    await expect(signIn()).rejects.toMatchObject(forbidden)
  })

  it('rejects new and linked users who sign in through a replaced issuer', async () => {
    await makeGrace()
    await setIssuer(`https://other.${domain}`)
    await expect(signIn()).rejects.toMatchObject(forbidden)
    expect(await linked()).toBe(0)
    const former = issuer
    issuer = `https://other.${domain}`
    await signIn()
    issuer = former
    await expect(signIn()).rejects.toMatchObject(forbidden)
  })
})

it.each(['two words@', 'a\0b@', '"><script>@', 'ada@elsewhere.test@', '@', `${'a'.repeat(260)}@`])(
  'an SSO connection rejects an email address that begins with %j',
  async (local) => {
    await expect(signIn({ email: `${local}${domain}` })).rejects.toMatchObject(forbidden)
    expect(await linked()).toBe(0)
  },
)

describe('an SSO connection whose issuer serves many organizations', () => {
  it('accepts a Google account only if Google manages it for the domain', async () => {
    issuer = 'https://accounts.google.com'
    await setIssuer(issuer)
    const { id } = await makeGrace()
    for (const hd of [undefined, 'elsewhere.example.test', [domain]])
      await expect(signIn({ hd, emailVerified: true })).rejects.toMatchObject(forbidden)
    expect(await signIn({ hd: domain, emailVerified: true })).toBe(id)
    await expect(signIn({ emailVerified: true })).rejects.toMatchObject(forbidden)
  })

  it('requires a verified email address, unless the issuer’s URL contains the tenant', async () => {
    const { id } = await makeGrace()
    for (const claims of [
      { emailVerified: false },
      { emailVerified: 'false' },
      { emailVerified: null },
      { tenant: 'one' },
      { tid: 'one' },
      { hd: domain },
    ])
      await expect(signIn(claims)).rejects.toMatchObject(forbidden)
    expect(await linked()).toBe(0)
    expect(await signIn({ tid: 'own' })).toBe(id)
    expect(await signIn({ emailVerified: 'true' })).toBe(id)
  })

  it('accepts only users from the tenant of its first user', async () => {
    const { id } = await makeGrace()
    const ada = await makeUser({ email: at('ada') })
    const verified = { emailVerified: true }
    expect(await signIn({ tenant: 'one', ...verified })).toBe(id)
    for (const tenant of ['two', '%', undefined])
      await expect(signIn({ tenant, email: at('ada'), sub: '2', ...verified })).rejects.toMatchObject(
        forbidden,
      )
    for (const email of [at('new'), at('grace')])
      await expect(signIn({ tenant: 'two', email, ...verified })).rejects.toMatchObject(forbidden)
    expect(await signIn({ tid: 'one', email: at('ada'), sub: '2', ...verified })).toBe(ada.id)
    expect(await signIn({ tenant: 'one', ...verified })).toBe(id)
  })
})
