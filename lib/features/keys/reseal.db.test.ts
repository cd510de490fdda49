import { createHmac } from 'node:crypto'
import fs from 'node:fs'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { derivedKey, openToken, seal, sealToken, unseal } from '@/lib/base/credentials/seal'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { lockWaits } from '@/lib/testing/lock-waits'
import { recoveryCodeKeys, storeFormerKeys } from './former-keys'
import { checkSecretKey, reseal, sealedColumns } from './reseal'
import { loadKeyRing } from './signing-keys'

/**
 * Deletes the signing keys that the database template contains, because they are encrypted with the tests'
 * SECRET_KEY.
 */
beforeAll(async () => {
  await prisma().signingKey.deleteMany()
})

describe('encrypted columns', () => {
  /** The `bytea` columns that are not encrypted, or that are encrypted with keys other than the server's. */
  const others: Record<string, string> = {
    'api_credentials.hash': 'a hash',
    'api_tokens.hash': 'a hash',
    'email_tokens.hash': 'a hash',
    'former_keys.fingerprint': 'a hash',
    'invitations.hash': 'a hash',
    'keyed_requests.hash': 'a hash',
    'keyed_requests.sealed_answer': 'encrypted for a day with the key of the request that it answers',
    'oauth_artifacts.family': 'a hash',
    'oauth_artifacts.hash': 'a hash',
    'oauth_artifacts.replay': 'encrypted with the token that it answers',
    'oauth_client_secrets.hash': 'a hash',
    'passkeys.public_key': 'public',
    'pending_sign_ins.hash': 'a hash',
    'pictures.data': 'an image',
    'recovery_codes.hash': 'a hash; former-keys.ts stores the keys that are needed to compare it',
    'webauthn_challenges.hash': 'a hash',
  }

  it('include every bytea column except the listed exceptions', async () => {
    const { rows } = await pool().query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type = 'bytea' ORDER BY name`,
    )
    const sealed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
    expect(rows.map(({ name }) => name)).toEqual([...sealed, ...Object.keys(others)].sort())
  })

  it('are listed with the name and type of their table’s primary key', async () => {
    for (const { table, key, keyType } of sealedColumns) {
      const { rows } = await pool().query(
        `SELECT a.attname AS key, format_type(a.atttypid, a.atttypmod) AS type
         FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
        WHERE i.indisprimary AND i.indrelid = $1::regclass`,
        [table],
      )
      expect(rows, table).toEqual([{ key, type: keyType }])
    }
  })

  it('are in the tables that the documentation says to empty after the key is lost', () => {
    const page = fs.readFileSync('docs/operate/secrets.md', 'utf8')
    const deleted = [...page.matchAll(/^ {4}DELETE FROM (\w+);$/gm)].map(([, table]) => table)
    expect(deleted.sort()).toEqual(
      [...new Set([...sealedColumns.map(({ table }) => table), 'recovery_codes'])].sort(),
    )
  })
})

describe('a change of SECRET_KEY', () => {
  const first = '3f9c1b7e5a2d8046e1c7b39f0d5a6284'
  const second = 'b81f4e6d0c93a752f5e82d7b164c0a39'

  /** Sets the encryption keys of the process. */
  function use(key: string, ...previous: string[]): void {
    process.env.SECRET_KEY = key
    process.env.SECRET_KEY_PREVIOUS = previous.join(',')
    resetConfig()
  }
  afterEach(() => {
    delete process.env.SECRET_KEY_PREVIOUS
  })

  const sealed = (text: string, purpose: Parameters<typeof seal>[1]) => Uint8Array.from(seal(text, purpose))

  /** Stores a value in each encrypted column, and creates twelve variables. */
  async function fill() {
    const ada = await makeUser()
    const workspace = await makeWorkspace([[ada, 'ADMIN']])
    const project = await makeProject(workspace)
    const environment = await prisma().environment.create({
      data: { projectId: project.id, name: 'production' },
    })
    await prisma().variable.createMany({
      data: Array.from({ length: 12 }, (_, n) => ({
        environmentId: environment.id,
        name: `V${n}`,
        sealedValue: sealed(`value ${n}`, 'variable'),
      })),
    })
    await prisma().signingKey.create({
      data: {
        kid: `kid ${ada.id}`,
        alg: 'ES256',
        publicJwk: {},
        sealedPrivate: sealed('{}', 'signing-key'),
        signsFrom: new Date(),
      },
    })
    await prisma().totpSecret.create({ data: { userId: ada.id, sealed: sealed('TOTP', 'totp') } })
    await prisma().webhook.create({
      data: {
        workspaceId: workspace.id,
        url: 'https://hooks.example.test/',
        events: ['project.*'],
        sealedSecret: sealed('present', 'webhook-secret'),
        sealedPreviousSecret: sealed('before', 'webhook-secret'),
      },
    })
    return { ada, environment }
  }

  const variables = async (environmentId: string) => {
    const rows = await prisma().variable.findMany({ where: { environmentId }, orderBy: { name: 'asc' } })
    return Object.fromEntries(rows.map((row) => [row.name, unseal(row.sealedValue, 'variable')]))
  }

  const left = async () => {
    const reports = await reseal({ check: true })
    return {
      former: reports.reduce((sum, report) => sum + report.former, 0),
      unreadable: reports.reduce((sum, report) => sum + report.unreadable, 0),
    }
  }

  it('is completed when reseal runs again after an interruption, and keeps concurrent writes', async () => {
    use(first)
    const { ada, environment } = await fill()
    const code = createHmac('sha256', derivedKey('recovery-code')).update('code').digest()
    await prisma().recoveryCode.create({ data: { userId: ada.id, hash: Uint8Array.from(code) } })

    use(second, first)
    await checkSecretKey()
    expect(await left()).toEqual({ former: 16, unreadable: 0 })
    let batches = 0
    const endAfterEight = () => {
      batches++
      if (batches === 8) throw new Error('ended')
    }
    await expect(reseal({ batch: 2, progress: endAfterEight })).rejects.toThrow('ended')
    const half = await left()
    expect(half.former).toBeGreaterThan(0)
    expect(half.former).toBeLessThan(16)
    await checkSecretKey()

    // A variable changes after it is read and before it is replaced. The new value must be kept.
    const last = { environmentId_name: { environmentId: environment.id, name: 'V11' } }
    let rest: Promise<unknown> | undefined
    await prisma().$transaction(async (tx) => {
      await tx.variable.update({
        where: last,
        data: { sealedValue: sealed('changed meanwhile', 'variable') },
      })
      rest = reseal({ batch: 3 })
      await vi.waitFor(async () => expect(await lockWaits()).toBe(1))
    })
    await rest
    expect(await left()).toEqual({ former: 0, unreadable: 0 })

    use(second)
    await checkSecretKey()
    expect(await left()).toEqual({ former: 0, unreadable: 0 })
    expect(await variables(environment.id)).toMatchObject({ V0: 'value 0', V11: 'changed meanwhile' })
    const webhook = await prisma().webhook.findFirstOrThrow()
    expect(unseal(webhook.sealedSecret, 'webhook-secret')).toBe('present')
    expect(unseal(webhook.sealedPreviousSecret as Uint8Array, 'webhook-secret')).toBe('before')
    const hashes = (await recoveryCodeKeys(prisma())).map((key) =>
      createHmac('sha256', key).update('code').digest('hex'),
    )
    expect(hashes).toContain(code.toString('hex'))

    // When no recovery code is left, the stored former key is deleted.
    await prisma().recoveryCode.deleteMany()
    await storeFormerKeys()
    expect(await prisma().formerKey.count()).toBe(0)
  })

  it('keeps values that no key can decrypt, and reseal reports them', async () => {
    use(first)
    await fill()
    use(second)
    await expect(checkSecretKey()).rejects.toThrow(/\(signing_keys\)/)
    const before = await prisma().variable.findMany({ orderBy: { id: 'asc' } })
    expect((await reseal()).some(({ unreadable }) => unreadable > 0)).toBe(true)
    expect(await prisma().variable.findMany({ orderBy: { id: 'asc' } })).toEqual(before)
  })

  it('keeps old tokens valid while the former key is configured, and new tokens are encrypted with the new key', () => {
    use(first)
    const old = sealToken('ada', 'browser-session')
    use(second, first)
    expect(openToken(old, 'browser-session')).toBe('ada')
    const fresh = sealToken('ada', 'browser-session')
    use(second)
    expect(openToken(old, 'browser-session')).toBeUndefined()
    expect(openToken(fresh, 'browser-session')).toBe('ada')
  })

  it('does not prevent a replica that has the new key only in SECRET_KEY_PREVIOUS from decrypting new values', () => {
    use(second, first)
    const value = seal('ada', 'totp')
    use(first, second)
    expect(unseal(value, 'totp')).toBe('ada')
  })
})

describe('checkSecretKey', () => {
  it('accepts a new database and the correct key, and throws a clear error for a wrong key', async () => {
    await checkSecretKey()
    await loadKeyRing()
    await checkSecretKey()
    await prisma().signingKey.updateMany({
      data: { sealedPrivate: new Uint8Array(seal('{}', Buffer.alloc(32, 7))) },
    })
    await expect(checkSecretKey()).rejects.toThrow(/^SECRET_KEY does not decrypt the values .*\.$/)
  })
})
