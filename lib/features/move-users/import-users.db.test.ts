import { pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { verifyPassword } from '@/lib/base/credentials/password'
import { prisma } from '@/lib/base/db/prisma'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { signIn } from '@/lib/features/identity/users/sign-in'
import { emptyDatabase } from '@/lib/testing/database'
import { makeUser } from '@/lib/testing/factories'
import { importUsers } from './import-users'
import { findUsers } from './read-users'

beforeEach(emptyDatabase)

const password = 'kept from before'

async function* linesOf(text: string) {
  yield* text.split('\n')
}

/**
 * Imports a file.
 * @returns the counts, the reasons by line, and the number of batches
 */
async function importText(text: string, write = true) {
  const reasons: Record<number, string> = {}
  let batches = 0
  const counts = await importUsers(findUsers(linesOf(text)), {
    write,
    watch: {
      skipped: (line, reason) => {
        reasons[line] = reason
      },
      stored: () => {
        batches += 1
      },
    },
  })
  return { counts, reasons, batches }
}
const perLine = (...users: object[]) => users.map((user) => JSON.stringify(user)).join('\n')
const userOf = (email: string) => prisma().user.findUniqueOrThrow({ where: { email } })

const salt = randomBytes(16)
const credential = (algorithm: string, iterations: number, value: string, additionalParameters = {}) => ({
  type: 'password',
  secretData: JSON.stringify({ value, salt: salt.toString('base64'), additionalParameters: {} }),
  credentialData: JSON.stringify({ hashIterations: iterations, algorithm, additionalParameters }),
})

/** Returns a realm in the format of `kc.sh export --users same_file`. */
async function keycloakRealm(): Promise<string> {
  const argon = await argon2(password, { memoryCost: 7168, timeCost: 5, parallelism: 1, salt })
  const sha512 = pbkdf2Sync(password, salt, 21_000, 64, 'sha512').toString('base64')
  const realm = {
    realm: 'acme',
    enabled: true,
    users: [
      {
        ...{ username: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: 'Ada@Example.com' },
        ...{ emailVerified: true, enabled: true },
        credentials: [
          credential('argon2', 5, Buffer.from(String(argon.split('$')[5]), 'base64').toString('base64'), {
            ...{ hashLength: ['32'], memory: ['7168'], type: ['id'], version: ['1.3'], parallelism: ['1'] },
          }),
        ],
      },
      {
        ...{ username: 'grace', email: 'grace@example.com', emailVerified: false, enabled: false },
        credentials: [{ type: 'otp', secretData: '{}' }, credential('pbkdf2-sha512', 21_000, sha512)],
      },
      { username: 'service-account-app', email: 'app@example.com', serviceAccountClientId: 'app' },
      { username: 'nomail', enabled: true },
    ],
  }
  return JSON.stringify(realm, null, 2)
}

describe('importUsers', () => {
  it('imports a Keycloak realm, whose password hashes are replaced when users first sign in', async () => {
    const { counts, reasons } = await importText(await keycloakRealm())
    expect(counts).toEqual({ imported: 2, updated: 0, unchanged: 0, skipped: 2 })
    expect(reasons).toEqual({
      3: 'This is a service account, not a user.',
      4: 'The entry has no email address.',
    })
    const ada = await userOf('ada@example.com')
    expect(ada).toMatchObject({ name: 'Ada Lovelace', emailVerifiedAt: expect.any(Date), suspendedAt: null })
    expect(await userOf('grace@example.com')).toMatchObject({
      ...{ name: 'grace', emailVerifiedAt: null, suspendedAt: expect.any(Date) },
    })
    await expect(signIn({}, { email: 'ada@example.com', password: 'wrong' })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    expect((await userOf('ada@example.com')).passwordHash).toBe(ada.passwordHash)

    const proven = await signIn({}, { email: 'ada@example.com', password })
    const after = await userOf('ada@example.com')
    expect(after.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(proven.passwordHash).toBe(after.passwordHash)
    await startSession({}, proven.userId, ['pwd'], { passwordHash: proven.passwordHash })
    await expect(signIn({}, { email: 'ada@example.com', password })).resolves.toMatchObject({
      userId: ada.id,
    })
    // Suspended users cannot use their password.
    await expect(signIn({}, { email: 'grace@example.com', password })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
  })

  it('imports a password hash that is replaced only once by concurrent first sign-ins', async () => {
    await importText(perLine({ email: 'ada@example.com', passwordHash: await bcrypt(password, 4) }))
    const proven = await Promise.all([1, 2, 3].map(() => signIn({}, { email: 'ada@example.com', password })))
    const { passwordHash } = await userOf('ada@example.com')
    expect(proven.map((each) => each.passwordHash)).toEqual([passwordHash, passwordHash, passwordHash])
  })

  it('imports Auth0 password hashes, even if an entry contains the email address only in its identifiers', async () => {
    const hash = await bcrypt(password, 10)
    const { counts } = await importText(
      perLine(
        {
          _id: { $oid: '5dea' },
          email_verified: true,
          email: 'ada@example.com',
          passwordHash: hash,
          tenant: 'acme',
        },
        {
          _id: { $oid: '5deb' },
          passwordHash: hash,
          identifiers: [{ type: 'email', value: 'grace@example.com', verified: true }],
        },
      ),
    )
    expect(counts.imported).toBe(2)
    for (const email of ['ada@example.com', 'grace@example.com']) {
      expect((await userOf(email)).emailVerifiedAt).not.toBeNull()
      await expect(signIn({}, { email, password })).resolves.toBeDefined()
    }
  })

  it('adds Auth0 password hashes to users that an earlier file created, and keeps their names', async () => {
    await importText(
      perLine({ user_id: 'auth0|5dea', email: 'ada@example.com', name: 'Ada', email_verified: true }),
    )
    expect(await userOf('ada@example.com')).toMatchObject({ passwordHash: null, name: 'Ada' })
    const hash = await bcrypt(password, 4)
    expect((await importText(perLine({ email: 'ada@example.com', passwordHash: hash }))).counts).toEqual({
      ...{ imported: 0, updated: 1, unchanged: 0, skipped: 0 },
    })
    expect((await userOf('ada@example.com')).name).toBe('Ada')
    await expect(signIn({}, { email: 'ada@example.com', password })).resolves.toBeDefined()
  })

  it('imports a Zitadel export', async () => {
    const scrypt = scryptSync(password, salt, 32, { N: 2 ** 14, r: 8, p: 1 })
      .toString('base64')
      .replace(/=+$/, '')
    const human = (name: string, value: string) => ({
      userId: '104133391271651848',
      user: {
        userName: `${name}@acme.zitadel.cloud`,
        profile: { firstName: name, lastName: 'Runner', displayName: `${name} Runner` },
        email: { email: `${name}@example.com`, isEmailVerified: true },
        hashedPassword: { value },
      },
    })
    const humanUsers = [
      human('road', await bcrypt(password, 4)),
      human('rail', `$scrypt$ln=14,r=8,p=1$${salt.toString('base64').replace(/=+$/, '')}$${scrypt}`),
    ]
    const { counts } = await importText(JSON.stringify({ orgs: [{ orgId: '1', humanUsers }] }))
    expect(counts.imported).toBe(2)
    expect((await userOf('road@example.com')).name).toBe('road Runner')
    for (const name of ['road', 'rail']) {
      await expect(signIn({}, { email: `${name}@example.com`, password })).resolves.toBeDefined()
    }
  })

  it('resumes after an interruption, but doesn’t change users who have signed in', async () => {
    const passwordHash = await bcrypt(password, 4)
    const users = Array.from({ length: 250 }, (_, index) => ({
      email: `user${index}@example.com`,
      passwordHash,
    }))
    await importText(perLine(...users.slice(0, 120)))
    const { counts, batches } = await importText(perLine(...users))
    expect(counts).toEqual({ imported: 130, updated: 0, unchanged: 120, skipped: 0 })
    expect(batches).toBe(3)
    await signIn({}, { email: 'user7@example.com', password })
    const { passwordHash: fresh } = await userOf('user7@example.com')
    const again = users.map((user) => ({ ...user, name: 'Renamed by the file' }))
    expect((await importText(perLine(...again))).counts).toEqual({
      ...{ imported: 0, updated: 249, unchanged: 1, skipped: 0 },
    })
    expect((await userOf('user7@example.com')).passwordHash).toBe(fresh)
    expect(await prisma().user.count()).toBe(250)
  }, 60_000)

  it('never changes an account that was not imported', async () => {
    const { email, passwordHash } = await makeUser({ email: 'victim@example.com' })
    const { counts, reasons } = await importText(perLine({ email, passwordHash: await bcrypt(password, 4) }))
    expect(counts).toMatchObject({ imported: 0, skipped: 1 })
    expect(reasons[1]).toBe(
      'An account with this email address already exists but was not imported. It was not changed.',
    )
    expect((await userOf(email)).passwordHash).toBe(passwordHash)
  })

  it('skips invalid users and reports each line number and reason, but no password hashes', async () => {
    const absurd = '$2b$31$abcdefghijklmnopqrstuvabcdefghijklmnopqrstuvwxyzabcde'
    const { counts, reasons } = await importText(
      [
        perLine(
          { email: 'ada@example.com' },
          { email: 'not an address' },
          { email: 'grace@example.com', passwordHash: absurd },
        ),
        '{"email": broken',
        perLine(
          { email: 'eve@example.com', passwordHash: 'hunter2-in-plain-text' },
          { email: 'ADA@example.com' },
        ),
      ].join('\n'),
    )
    expect(counts).toEqual({ imported: 1, updated: 0, unchanged: 0, skipped: 5 })
    expect(reasons).toEqual({
      2: 'The email address is not valid. Enter an email address such as ada@example.com.',
      3: 'The password hash would take too long to check: a bcrypt cost above 14.',
      4: 'The line is not a JSON object.',
      5: expect.stringMatching(/^The password hash is in an unknown format/),
      6: 'The user on line 1 has the same email address.',
    })
    expect(JSON.stringify(reasons)).not.toMatch(/hunter2|2b\$31/)
    expect(await prisma().user.count()).toBe(1)
  })

  it('changes nothing in a dry run', async () => {
    expect((await importText(await keycloakRealm(), false)).counts).toMatchObject({ imported: 2, skipped: 2 })
    expect(await prisma().user.count()).toBe(0)
  })

  it.each(['hello', '{\n"realm": "acme"\n}', '[1'])(
    'rejects the file %j, which contains no users',
    async (file) => {
      await expect(importText(file)).rejects.toThrow('The file contains no users')
    },
  )
})

describe('a sign-in with an unknown email address', () => {
  it('checks a hash in a format that existing users have, and always uses the same format for the same email address', async () => {
    vi.resetModules()
    const checked: (string | undefined)[] = []
    vi.doMock('@/lib/base/credentials/password', async (original) => {
      const real = await original<typeof import('@/lib/base/credentials/password')>()
      return {
        ...real,
        verifyPassword: (stored: string | null, given: string, instead?: string) => {
          checked.push(stored ?? instead)
          return real.verifyPassword(stored, given, instead)
        },
      }
    })
    ;(globalThis as { __latchkey?: Map<string, unknown> }).__latchkey?.delete('password-hash-kinds')
    const passwordHash = await bcrypt(password, 5)
    await importText(
      perLine(
        ...Array.from({ length: 30 }, (_, index) => ({ email: `user${index}@example.com`, passwordHash })),
      ),
    )
    for (let index = 0; index < 30; index++) await makeUser()
    const { checkPassword } = await import('@/lib/features/identity/users/sign-in')
    const addresses = Array.from({ length: 20 }, (_, index) => `unknown${index}@example.com`)
    const kinds = async () => {
      checked.length = 0
      for (const email of addresses) await checkPassword(email, null, 'guess')
      return checked.map((hash) => hash?.slice(0, 7))
    }
    const first = await kinds()
    expect(new Set(first)).toEqual(new Set(['$2b$05$', '$argon2']))
    expect(await kinds()).toEqual(first)
    expect(await verifyPassword(null, password, passwordHash)).toBe(false)
    vi.doUnmock('@/lib/base/credentials/password')
  })
})
