import { pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { describe, expect, it } from 'vitest'
import {
  HashRefusal,
  hashPassword,
  matchesImported,
  needsRehash,
  readImportedHash,
  verifyPassword,
} from './password'

const password = 'correct hørse'
const salt = randomBytes(16)
const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
const pbkdf2 = (digest: string, iterations: number, length: number) =>
  plain(pbkdf2Sync(password, salt, iterations, length, digest))

const hashes: [string, () => Promise<string> | string][] = [
  ['a bcrypt hash from Auth0', () => bcrypt(password, 10)],
  ['a bcrypt hash from PHP', async () => (await bcrypt(password, 4)).replace('$2b$', '$2y$')],
  [
    'an argon2id hash from Keycloak',
    () => argon2(password, { memoryCost: 7168, timeCost: 5, parallelism: 1 }),
  ],
  ['an argon2i hash', () => argon2(password, { algorithm: 1, memoryCost: 4096, timeCost: 3 })],
  ['a PBKDF2 hash with SHA-1', () => `$pbkdf2$20000$${plain(salt)}$${pbkdf2('sha1', 20_000, 64)}`],
  ['a PBKDF2 hash with SHA-256', () => `$pbkdf2-sha256$27500$${plain(salt)}$${pbkdf2('sha256', 27_500, 64)}`],
  [
    'a PBKDF2 hash with SHA-512',
    () => `$pbkdf2-sha512$i=210000$${plain(salt)}$${pbkdf2('sha512', 210_000, 64)}`,
  ],
  [
    'a PBKDF2 hash in passlib’s format',
    () =>
      `$pbkdf2-sha256$12$${plain(salt).replaceAll('+', '.')}$${pbkdf2('sha256', 12, 32).replaceAll('+', '.')}`,
  ],
  [
    'an scrypt hash from Zitadel',
    () =>
      `$scrypt$ln=15,r=8,p=1$${plain(salt)}$${plain(scryptSync(password, salt, 32, { N: 2 ** 15, maxmem: 2 ** 26 }))}`,
  ],
]

describe('an imported hash', () => {
  it.each(hashes)('matches only the correct password: %s', async (_, make) => {
    const stored = readImportedHash(await make())
    expect(await matchesImported(stored, password)).toBe(true)
    expect(await matchesImported(stored, 'correct horse')).toBe(false)
    expect(await verifyPassword(stored, password)).toBe(true)
    expect(await verifyPassword(stored, `${password} `)).toBe(false)
    expect(needsRehash(stored)).toBe(true)
  })

  // Go's x/crypto generated this hash, which is an example in the documentation of passwap.
  it('from another implementation matches the correct password', async () => {
    const stored = '$2a$10$eS.mS5Zc5YAJFlImXCpLMu9TxXwKUhgQxsbghlvyVwvwYO/17E2qy'
    expect(await matchesImported(readImportedHash(stored), 'good_password')).toBe(true)
  })

  it('needs no rehash if it has the format of new hashes', async () => {
    expect(needsRehash(await hashPassword(password))).toBe(false)
  })

  const digest = plain(randomBytes(32))
  it.each([
    ['$2b$15$abcdefghijklmnopqrstuvabcdefghijklmnopqrstuvwxyzabcde', 'a bcrypt cost above 14'],
    ['$2b$31$abcdefghijklmnopqrstuvabcdefghijklmnopqrstuvwxyzabcde', 'a bcrypt cost above 14'],
    [`$argon2id$v=19$m=4194304,t=1,p=1$${plain(salt)}$${digest}`, 'argon2 with more than 128 MiB'],
    [`$argon2id$v=19$m=65536,t=1000,p=1$${plain(salt)}$${digest}`, 'too many passes'],
    [`$pbkdf2-sha256$100000000$${plain(salt)}$${digest}`, 'more than 6000000 PBKDF2 rounds'],
    [`$pbkdf2-sha512$999999999999999999999$${plain(salt)}$${digest}`, 'more than 6000000 PBKDF2 rounds'],
    [`$scrypt$ln=24,r=8,p=1$${plain(salt)}$${digest}`, 'scrypt with more than 128 MiB'],
    [`$scrypt$ln=999,r=8,p=1$${plain(salt)}$${digest}`, 'scrypt with more than 128 MiB'],
    [`$scrypt$ln=14,r=8,p=4096$${plain(salt)}$${digest}`, 'too many lanes'],
  ])('is rejected if it is too expensive to verify: %s', async (text, reason) => {
    expect(() => readImportedHash(text)).toThrow(HashRefusal)
    expect(() => readImportedHash(text)).toThrow(reason)
    expect(await matchesImported(text, password)).toBe(false)
  })

  it.each([
    '',
    'hunter2',
    '5f4dcc3b5aa765d61d8327deb882cf99',
    '$1$kJ4QkJaQ$3EbD/pJddrq5HW3mpZ4KZ1',
    '$2b$03$abcdefghijklmnopqrstuvabcdefghijklmnopqrstuvwxyzabcde',
    '$2b$10$short',
    `$pbkdf2-md5$1000$${digest}$${digest}`,
    `$pbkdf2-sha256$0$${digest}$${digest}`,
    `$scrypt$ln=14,r=8,p=1$${digest}$AA`,
    `$argon2id$v=19$m=4096,t=3$${digest}$${digest}`,
  ])('is rejected if its format is unknown: %s', (text) => {
    expect(() => readImportedHash(text)).toThrow('is in an unknown format')
  })
})

it('hashPassword rejects a password while too many hashes are waiting, but completes the waiting ones', async () => {
  const password = 'correct horse battery staple'
  const first = hashPassword(password)
  const others = Array.from({ length: 256 + availableParallelism() }, () => hashPassword(password))
  await expect(others.at(-1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  const outcomes = await Promise.allSettled([first, ...others])
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(256)
  expect(await verifyPassword(await first, password)).toBe(true)
  expect(await verifyPassword(await first, 'another')).toBe(false)
}, 120_000)
