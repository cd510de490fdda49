import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { config, resetConfig } from '@/lib/base/config/env'
import { type ClusterFamily, type ClusterMember, namingAll, startFamily } from '@/lib/testing/cluster-family'
import { type DatabaseTls, offerTls } from '@/lib/testing/database-tls'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { withPatience } from './batches'
import { checkConnection } from './check-connection'
import { isOutage } from './database-errors'
import { pool } from './pool'
import { databaseTarget } from './primary'
import { prisma } from './prisma'
import { endConnections, readByKey } from './statements'

describe('database target', () => {
  /** The test's database, by name or by number, with parameters as a provider writes them. */
  function at(host: string, parameters: string): string {
    const url = new URL(String(process.env.DATABASE_URL))
    url.hostname = host
    url.search = parameters
    return url.href
  }

  /** Whether a connection is encrypted, as the server sees it. */
  async function isEncrypted(address: string, ca?: string): Promise<boolean> {
    const client = new pg.Client(databaseTarget(address, ca))
    await client.connect()
    try {
      const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
      return rows[0].ssl
    } finally {
      await client.end()
    }
  }

  const plain = String(process.env.DATABASE_URL)
  const warned = vi.spyOn(process, 'emitWarning')
  let tls: DatabaseTls

  it('a server without TLS is told apart, in a sentence', async () => {
    await expect(checkConnection(at('127.0.0.1', 'sslmode=prefer'))).rejects.toThrow(
      /cannot be used: it does not speak TLS; write sslmode=disable/,
    )
  })

  describe('sslmode', () => {
    beforeAll(async () => {
      tls = await offerTls(plain)
      // The server reads its settings anew in its own time.
      await vi.waitFor(() => isEncrypted(at('127.0.0.1', 'sslmode=no-verify')))
    })
    afterAll(async () => {
      await endConnections()
      await tls.off()
    })

    it.each([
      ['', false],
      ['sslmode=disable', false],
      ['sslmode=no-verify', true],
      ['sslmode=prefer', true],
      // As the pages of RDS, Cloud SQL, Supabase and Neon have it.
      ['sslmode=require', true],
      ['sslmode=require&channel_binding=require', true],
      ['sslmode=require&uselibpqcompat=true', true],
    ])('"%s" believes any certificate; encrypted: %s', async (parameters, encrypted) => {
      expect(await isEncrypted(at('127.0.0.1', parameters))).toBe(encrypted)
    })

    it('asks who vouches for the server where an authority is named, and for whom with verify-full', async () => {
      const { ca, stranger } = tls
      const file = `sslrootcert=${encodeURIComponent(tls.caFile)}`
      for (const mode of ['require', 'verify-ca']) {
        expect(await isEncrypted(at('127.0.0.1', `sslmode=${mode}`), ca)).toBe(true)
        expect(await isEncrypted(at('127.0.0.1', `sslmode=${mode}&${file}`))).toBe(true)
        await expect(isEncrypted(at('localhost', `sslmode=${mode}`), stranger)).rejects.toThrow(/unable to/)
        await expect(isEncrypted(at('localhost', `sslmode=${mode}&${file}`), stranger)).rejects.toThrow()
      }
      expect(await isEncrypted(at('localhost', 'sslmode=verify-full'), ca)).toBe(true)
      expect(await isEncrypted(at('localhost', `sslmode=verify-full&${file}`))).toBe(true)
      expect(await isEncrypted(at('localhost', ''), ca)).toBe(true)
      await expect(isEncrypted(at('127.0.0.1', ''), ca)).rejects.toThrow(/does not match/)
      await expect(isEncrypted(at('127.0.0.1', 'sslmode=verify-full'), ca)).rejects.toThrow(/does not match/)
      await expect(isEncrypted(at('localhost', 'sslmode=verify-full'), stranger)).rejects.toThrow()
    })

    it.each([
      ['sslmode=verify-full', /nobody known here vouches for its certificate; put .* into DATABASE_CA/],
      ['sslmode=verify-full&sslrootcert=system', /nobody known here vouches/],
      ['sslmode=verify-ca&sslrootcert=/no/such/file', /there is no such file as its sslrootcert/],
    ])('"%s" that cannot be had is told in a sentence', async (parameters, sentence) => {
      await expect(checkConnection(at('localhost', parameters))).rejects.toThrow(sentence)
    })

    it('tells that a certificate is for another name', async () => {
      vi.stubEnv('DATABASE_CA', tls.ca)
      resetConfig()
      await expect(checkConnection(at('127.0.0.1', 'sslmode=verify-full'))).rejects.toThrow(
        'its certificate is not for "127.0.0.1"; connect by a name that it has',
      )
      await checkConnection(at('localhost', 'sslmode=verify-full'))
      vi.unstubAllEnvs()
      resetConfig()
    })

    it('holds for every connection of the product', async () => {
      vi.stubEnv('DATABASE_URL', at('127.0.0.1', 'sslmode=require'))
      resetConfig()
      const mine = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
      const shared = readByKey<{ ssl: boolean }, []>('own-tls', mine)
      const seen = [
        await shared(),
        (await pool().query(mine)).rows,
        await prisma().$queryRawUnsafe(mine),
        await withPatience(async (client) => (await client.query(mine)).rows),
      ]
      expect(seen).toEqual(new Array(4).fill([{ ssl: true }]))
      vi.unstubAllEnvs()
      resetConfig()
    })

    it('is read without the six lines of warning that the driver has for it', () => {
      expect(warned).not.toHaveBeenCalled()
    })
  })
})

describe('primary client', () => {
  /** A primary and its standby, and addresses that name both. One after the other: the last tests change which is which. */
  let dir: string
  let family: ClusterFamily
  let primary: ClusterMember
  let standby: ClusterMember

  beforeAll(async () => {
    dir = makeTemporaryData()
    family = await startFamily(dir)
    primary = family.primary
    standby = await family.add('standby')
  }, 120_000)

  afterAll(async () => {
    await endConnections().catch(() => undefined)
    await family.end()
    removeTemporaryData(dir)
  })

  /** Has the product use another address. */
  const use = (address: string): void => {
    process.env.DATABASE_URL = address
    resetConfig()
  }

  const whereAmI = "SELECT current_setting('port') AS port"
  const portOf = ({ url }: ClusterMember) => new URL(url).port
  const shared = readByKey<{ port: string }, []>('primary-client-where', whereAmI)

  it('a standby is refused, told in a sentence, and counted as an outage', async () => {
    await expect(checkConnection(standby.url)).rejects.toThrow(/it is a standby, which takes no writes/)
    const error = await checkConnection(namingAll(standby)).catch((thrown) => thrown)
    expect(isOutage(error.cause)).toBe(true)
  })

  it('of several servers every connection goes to the one that takes writes', async () => {
    use(`${namingAll(standby, primary)}?target_session_attrs=read-write`)
    await checkConnection(config().DATABASE_URL)
    const seen = [
      await shared(),
      (await pool().query(whereAmI)).rows,
      await prisma().$queryRawUnsafe(whereAmI),
      await withPatience(async (client) => (await client.query(whereAmI)).rows),
    ]
    expect(seen).toEqual(new Array(4).fill([{ port: portOf(primary) }]))
  })

  it('a write that is refused as read-only ends its connection, so that the next may lead elsewhere', async () => {
    const connection = await pool().connect()
    await connection.query('SET default_transaction_read_only = on')
    const refused = await connection.query('CREATE TABLE t ()').catch((error) => error)
    connection.release()
    expect([refused.code, isOutage(refused)]).toEqual(['25006', true])
    expect((await pool().query('SHOW default_transaction_read_only')).rows).toEqual([
      { default_transaction_read_only: 'off' },
    ])
  })

  it('after a failover the promoted server is found, and the old primary that comes back is not', async () => {
    await primary.kill()
    const away = await pool()
      .query('SELECT 1')
      .catch((error) => error)
    expect(isOutage(away)).toBe(true)
    await standby.ask('SELECT pg_promote(true)')
    expect((await pool().query(whereAmI)).rows).toEqual([{ port: portOf(standby) }])
    await primary.start()
    expect(await primary.ask('SELECT pg_is_in_recovery() AS standby')).toEqual([{ standby: false }])
    // A process that starts now, and has no connection yet.
    await endConnections()
    const { PrimaryClient } = await import('./primary')
    const { databaseTarget } = await import('./primary')
    const client = new PrimaryClient(databaseTarget(namingAll(primary, standby)))
    await client.connect()
    expect((await client.query(whereAmI)).rows).toEqual([{ port: portOf(standby) }])
    await client.end()
  })
})
