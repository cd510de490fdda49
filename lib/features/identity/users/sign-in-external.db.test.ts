import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { whileUncommitted } from '@/lib/testing/concurrency'
import { makeWorkspace } from '@/lib/testing/factories'
import { signInExternal } from './sign-in-external'
import { signUp } from './sign-up'

const external = (email: string, more: object = {}) => ({
  provider: 'github',
  subject: randomUUID(),
  email,
  emailVerified: true,
  name: 'Ada',
  avatarUrl: undefined,
  ...more,
})
const newEmail = () => `${randomUUID()}@example.com`

describe('signInExternal', () => {
  it('creates a user only once, and finds the user by their ID at the provider even if the email address has changed', async () => {
    const first = external(newEmail())
    const { userId } = await signInExternal(first)
    expect(await signInExternal({ ...first, email: newEmail() })).toMatchObject({ userId })
    expect(await prisma().workspace.count({ where: { personalOwnerId: userId } })).toBe(1)
  })

  it('rejects an email address that the provider did not verify', async () => {
    await expect(signInExternal(external(newEmail(), { emailVerified: false }))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  })

  it('connects an existing account only if its email address was verified on this instance', async () => {
    const email = newEmail()
    const { userId } = await signUp({}, { name: 'Ada', email, password: 'correct horse battery' })
    await expect(signInExternal(external(email))).rejects.toMatchObject({ code: 'CONFLICT' })
    await prisma().user.update({ where: { id: userId }, data: { emailVerifiedAt: new Date() } })
    expect(await signInExternal(external(email))).toMatchObject({ userId })
  })

  it.each([
    ['  Ada Lovelace ', 'Ada Lovelace'],
    ['😀'.repeat(81), '😀'.repeat(80)],
    ['\u3164', 'ada'],
    ['Ada\u202eecalevoL', 'ada'],
    [undefined, 'ada'],
  ])('stores the name %j from the provider as %j', async (given, name) => {
    const email = `ada@${randomUUID()}.example.com`
    const { userId } = await signInExternal(external(email, { name: given }))
    expect((await prisma().user.findUniqueOrThrow({ where: { id: userId } })).name).toBe(name)
  })

  it('creates a user even if another user takes the workspace’s slug at the same moment', async () => {
    const other = `INSERT INTO workspaces (id, name, slug, updated_at)
                   VALUES (gen_random_uuid(), 'Grace Hopper', 'grace-hopper', now())`
    const signInAsGrace = () => signInExternal(external(newEmail(), { name: 'Grace Hopper' }))
    expect(await whileUncommitted([[other, []]], signInAsGrace, 'workspaces')).toBe('ok')
    expect(await prisma().workspace.count({ where: { slug: { startsWith: 'grace-hopper' } } })).toBe(2)
  })

  it('does not report an existing account if the workspace’s slug is taken three times', async () => {
    const { slug } = await makeWorkspace()
    let tries = 0
    const takeSlug = async (tx: Db) => {
      tries++
      await tx.workspace.create({ data: { name: 'Grace', slug } })
    }
    await expect(signInExternal(external(newEmail()), takeSlug)).rejects.toMatchObject({ code: 'P2002' })
    expect(tries).toBe(3)
  })

  it('rejects a suspended user', async () => {
    const known = external(newEmail())
    const { userId } = await signInExternal(known)
    await prisma().user.update({ where: { id: userId }, data: { suspendedAt: new Date() } })
    await expect(signInExternal(known)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'suspended' },
    })
  })
})
