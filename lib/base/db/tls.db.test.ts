import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { type DatabaseTls, offerTls } from '@/lib/testing/database-tls'
import { withLongTimeout } from './batches'
import { checkConnection } from './check-connection'
import { endConnections, pool } from './pool'
import { databaseTarget } from './primary'
import { prisma } from './prisma'
import { statement } from './statements'

describe('a database connection', () => {
  /**
   * Returns the URL of the test's database, by host name or IP address, with parameters in the format of
   * database providers.
   */
  function at(host: string, parameters: string): string {
    const url = new URL(String(process.env.DATABASE_URL))
    url.hostname = host
    url.search = parameters
    return url.href
  }

  /** Returns whether the server reports a connection as encrypted. */
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

  it('fails with a one-sentence error if the server does not support TLS', async () => {
    await expect(checkConnection(at('127.0.0.1', 'sslmode=prefer'))).rejects.toThrow(
      /cannot be used: it does not support TLS; use sslmode=disable/,
    )
  })

  describe('to a server with TLS', () => {
    beforeAll(async () => {
      tls = await offerTls(plain)
      // Wait until the server has reloaded its settings.
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
      // The parameter that the documentation of RDS, Cloud SQL, Supabase and Neon shows.
      ['sslmode=require', true],
      ['sslmode=require&channel_binding=require', true],
      ['sslmode=require&uselibpqcompat=true', true],
    ])(
      'requires no trusted certificate with the parameters "%s" (encrypted: %s)',
      async (parameters, encrypted) => {
        expect(await isEncrypted(at('127.0.0.1', parameters))).toBe(encrypted)
      },
    )

    it('verifies the issuer if an authority is configured, and also the host name with verify-full or without sslmode', async () => {
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
      ['sslmode=verify-full', /its certificate is not trusted; set DATABASE_CA/],
      ['sslmode=verify-full&sslrootcert=system', /its certificate is not trusted/],
      ['sslmode=verify-ca&sslrootcert=/no/such/file', /the file in sslrootcert/],
    ])(
      'fails with a one-sentence error about the certificate (parameters: %s)',
      async (parameters, sentence) => {
        await expect(checkConnection(at('localhost', parameters))).rejects.toThrow(sentence)
      },
    )

    it('fails with an error that contains the host name if the certificate is for a different host', async () => {
      vi.stubEnv('DATABASE_CA', tls.ca)
      resetConfig()
      await expect(checkConnection(at('127.0.0.1', 'sslmode=verify-full'))).rejects.toThrow(
        'its certificate is not for "127.0.0.1"; use a host name in the certificate',
      )
      await checkConnection(at('localhost', 'sslmode=verify-full'))
      vi.unstubAllEnvs()
      resetConfig()
    })

    it('is encrypted for every kind of query with sslmode=require', async () => {
      vi.stubEnv('DATABASE_URL', at('127.0.0.1', 'sslmode=require'))
      resetConfig()
      const mine = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
      const shared = statement<{ ssl: boolean }, []>('own-tls', mine, { connections: 'shared' })
      const seen = [
        await shared(),
        (await pool().query(mine)).rows,
        await prisma().$queryRawUnsafe(mine),
        await withLongTimeout(async (client) => (await client.query(mine)).rows),
      ]
      expect(seen).toEqual(new Array(4).fill([{ ssl: true }]))
      vi.unstubAllEnvs()
      resetConfig()
    })

    it('causes no warnings from the driver', () => {
      expect(warned).not.toHaveBeenCalled()
    })
  })
})
