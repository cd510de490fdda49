import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { hashPassword } from '@/lib/base/credentials/password'
import { prisma } from '@/lib/base/db/prisma'
import type { Visitor } from '@/lib/base/http/visitor'
import { startSession } from '../sessions/start-session'
import { signIn } from './sign-in'
import { signUp } from './sign-up'

const password = 'correct horse battery'
const visitor = (ip = '192.0.2.1') => ({ ip })
const signUpAs = (email: string, name = 'Ada Lovelace') => signUp(visitor(), { name, email, password })

let email: string
beforeEach(async () => {
  email = `${randomUUID()}@example.com`
  await prisma().rateLimit.deleteMany()
})

describe('signUp', () => {
  it('stores an argon2id hash, a lowercase email address, and a personal workspace that the user administers', async () => {
    const { userId } = await signUpAs(email.toUpperCase())
    const user = await prisma().user.findUniqueOrThrow({
      where: { id: userId },
      include: { personalWorkspace: { include: { members: true } } },
    })
    expect(user.email).toBe(email)
    expect(user.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(user.personalWorkspace?.members).toMatchObject([{ userId, role: 'ADMIN' }])
  })

  it.each([
    ['Ada Lovelace', undefined, 'Ada Lovelace’s workspace'],
    ['Ada Lovelace', 'de', 'Workspace von Ada Lovelace'],
    ['Latchkey', 'fr', 'Espace de travail personnel'],
  ] as const)(
    'names the workspace in the user’s language (user: %s, language: %s, workspace: “%s”)',
    async (name, language, called) => {
      const { userId } = await signUp(
        { ...visitor(), ...(language && { language }) },
        { name, email, password },
      )
      const workspace = await prisma().workspace.findUniqueOrThrow({ where: { personalOwnerId: userId } })
      expect(workspace.name).toBe(called)
    },
  )

  it('gives users with the same name different workspace slugs, even if they sign up at the same moment', async () => {
    const users = Array.from({ length: 5 }, (_, at) => signUpAs(`${at}-${email}`, 'Åda Twin'))
    await Promise.all(users)
    const slugs = await prisma().workspace.findMany({ where: { slug: { startsWith: 'ada-twin' } } })
    expect(new Set(slugs.map(({ slug }) => slug)).size).toBe(5)
  })

  it('rejects a second account for the same email address in different capitalization', async () => {
    await signUpAs(email)
    await expect(signUpAs(email.toUpperCase())).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { field: 'email' },
    })
  })

  it.each([
    ['name', { name: ' ', email: 'a@example.com', password }],
    ['email', { name: 'Ada', email: 'nobody', password }],
    ['password', { name: 'Ada', email: 'a@example.com', password: 'nine char' }],
    ['password', { name: 'Ada', email: 'a@example.com', password: 'ä'.repeat(101) }],
    ['password', { name: 'Ada', email: 'a@example.com', password: 'password12' }],
    ['password', { name: 'Ada Lovelace', email: 'ada@engine.example', password: 'ada@engine.example' }],
  ])('rejects an invalid %s', async (field, input) => {
    await expect(signUp(visitor(), input)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { field },
    })
  })
})

describe('signIn', () => {
  it('accepts only the correct password, and returns the same error for a wrong password and an unknown email address', async () => {
    const { userId } = await signUpAs(email)
    expect(await signIn(visitor(), { email: ` ${email.toUpperCase()} `, password })).toMatchObject({ userId })
    const wrong = await signIn(visitor(), { email, password: 'wrong' }).catch((error) => error)
    const unknown = await signIn(visitor(), { email: `x${email}`, password }).catch((error) => error)
    expect(wrong.code).toBe('UNAUTHENTICATED')
    expect(unknown.message).toBe(wrong.message)
  })

  it('rejects an email address with a NUL character, which PostgreSQL cannot store', async () => {
    const refusal = signIn(visitor(), { email: 'ada\0@example.com', password })
    await expect(refusal).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it('rejects a suspended user with the same error code as a wrong password', async () => {
    const { userId } = await signUpAs(email)
    await prisma().user.update({ where: { id: userId }, data: { suspendedAt: new Date() } })
    await expect(signIn(visitor(), { email, password })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it('rejects even the correct password for up to a minute after ten failed attempts from different IP addresses', async () => {
    await signUpAs(email)
    for (let i = 0; i < 10; i++) {
      const tried = signIn(visitor(`192.0.2.${i}`), { email, password: 'wrong' })
      await expect(tried).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    }
    const slowed = await signIn(visitor('198.51.100.1'), { email, password }).catch((error) => error)
    expect(slowed.code).toBe('RATE_LIMITED')
    expect(slowed.details.retryAfter).toBeGreaterThan(0)
    expect(slowed.details.retryAfter).toBeLessThanOrEqual(60)
    await prisma().rateLimit.deleteMany({ where: { key: { startsWith: 'signin-pause' } } })
    await expect(signIn(visitor('198.51.100.1'), { email, password })).resolves.toHaveProperty('userId')
  })

  it('accepts the owner’s password at a place of an earlier session, even if someone else uses up all attempts', async () => {
    const { userId } = await signUpAs(email)
    const home = { ip: '198.51.100.7', userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' }
    await startSession(home, userId, ['pwd'])
    const attempt = (from: Visitor, password: string) =>
      signIn(from, { email, password }).then(
        () => 'ok',
        (error) => error.code,
      )
    for (let i = 0; i < 11; i++) await attempt(visitor(`192.0.2.${i}`), 'wrong')
    expect(await attempt(visitor(), password)).toBe('RATE_LIMITED')
    expect(await attempt({ ...home, ip: '198.51.100.9' }, password)).toBe('ok')
    for (let i = 0; i < 20; i++) await attempt(visitor(`192.0.2.${i}`), 'wrong')
    for (let i = 0; i < 10; i++) expect(await attempt(home, 'wrong')).toBe('UNAUTHENTICATED')
    expect(await attempt(home, password)).toBe('RATE_LIMITED')
  })

  it('allows up to twenty failed attempts a minute from one IP address, even in parallel', async () => {
    const tries = Array.from({ length: 30 }, (_, at) =>
      signIn(visitor(), { email: `${at}${email}`, password }).catch((error) => error.code),
    )
    const codes = await Promise.all(tries)
    expect(codes.filter((code) => code === 'UNAUTHENTICATED')).toHaveLength(20)
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(10)
  })

  it('counts attempts from all IPv6 addresses in the same network together', async () => {
    const tries = Array.from({ length: 25 }, (_, at) =>
      signIn(visitor(`2001:db8:1:2::${at}`), { email: `${at}${email}`, password }).catch(
        (error) => error.code,
      ),
    )
    expect((await Promise.all(tries)).filter((code) => code === 'RATE_LIMITED')).toHaveLength(5)
  })

  it('does not count an attempt that fails because too many users are signing in', async () => {
    let full = true
    // A finished task queues itself again before any other code in this process runs, so the queue is always
    // full.
    const stand = (): Promise<unknown> =>
      hashPassword(password).then(
        () => full && stand(),
        () => undefined,
      )
    const line = Array.from({ length: 300 }, stand)
    const busy = { code: 'SERVICE_UNAVAILABLE' }
    await expect(signIn(visitor(), { email, password })).rejects.toMatchObject(busy)
    await expect(signUpAs(email)).rejects.toMatchObject(busy)
    full = false
    const counted = await prisma().rateLimit.findMany()
    expect(counted.map(({ points }) => points)).toEqual([0, 0, 0])
    await Promise.all(line)
  }, 120_000)

  it('does not count successful sign-ins', async () => {
    await signUpAs(email)
    for (let i = 0; i < 25; i++) await signIn(visitor(), { email, password })
    await expect(signIn(visitor(), { email, password })).resolves.toHaveProperty('userId')
  })

  it('does not store email addresses in the counters', async () => {
    await signIn(visitor(), { email, password }).catch(() => undefined)
    const keys = (await prisma().rateLimit.findMany()).map(({ key }) => key)
    expect(keys.length).toBeGreaterThan(0)
    expect(keys.join()).not.toContain(email)
  })
})
