import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { config } from '@/lib/base/config/env'
import {
  type ClusterFamily,
  type ClusterMember,
  startFamily,
  urlOfAllMembers,
} from '@/lib/testing/cluster-family'
import { connectWith } from '@/lib/testing/fresh-process'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { withLongTimeout } from './batches'
import { checkConnection } from './check-connection'
import { isOutage } from './database-errors'
import { endConnections, pool } from './pool'
import { databaseTarget, PrimaryClient } from './primary'
import { prisma } from './prisma'
import { statement } from './statements'

describe('PrimaryClient', () => {
  /**
   * A primary and its standby, with URLs that list both servers. The tests must run in order, because the
   * last ones swap the roles of the servers.
   */
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

  const whereAmI = "SELECT current_setting('port') AS port"
  const portOf = ({ url }: ClusterMember) => new URL(url).port
  const shared = statement<{ port: string }, []>('primary-client-where', whereAmI, { connections: 'shared' })

  it('rejects a standby with a one-sentence error that is treated as an outage', async () => {
    await expect(checkConnection(standby.url)).rejects.toThrow(/it is a standby, which accepts no writes/)
    const error = await checkConnection(urlOfAllMembers(standby)).catch((thrown) => thrown)
    expect(isOutage(error.cause)).toBe(true)
  })

  it('connects to the listed server that accepts writes', async () => {
    await connectWith({
      DATABASE_URL: `${urlOfAllMembers(standby, primary)}?target_session_attrs=read-write`,
    })
    await checkConnection(config().DATABASE_URL)
    const seen = [
      await shared(),
      (await pool().query(whereAmI)).rows,
      await prisma().$queryRawUnsafe(whereAmI),
      await withLongTimeout(async (client) => (await client.query(whereAmI)).rows),
    ]
    expect(seen).toEqual(new Array(4).fill([{ port: portOf(primary) }]))
  })

  it('closes its connection after a read-only error, so that the next connection can find the primary', async () => {
    const connection = await pool().connect()
    await connection.query('SET default_transaction_read_only = on')
    const refused = await connection.query('CREATE TABLE t ()').catch((error) => error)
    connection.release()
    expect([refused.code, isOutage(refused)]).toEqual(['25006', true])
    expect((await pool().query('SHOW default_transaction_read_only')).rows).toEqual([
      { default_transaction_read_only: 'off' },
    ])
  })

  it('finds the promoted server after a failover, even if the former primary comes back', async () => {
    await primary.kill()
    // Retry, because a backend can keep running for a moment after its server is killed.
    await vi.waitFor(async () => {
      const away = await pool()
        .query('SELECT 1')
        .catch((error) => error)
      expect(isOutage(away)).toBe(true)
    })
    await standby.ask('SELECT pg_promote(true)')
    expect((await pool().query(whereAmI)).rows).toEqual([{ port: portOf(standby) }])
    await primary.start()
    expect(await primary.ask('SELECT pg_is_in_recovery() AS standby')).toEqual([{ standby: false }])
    // Close all connections to simulate a process that has just started.
    await endConnections()
    const client = new PrimaryClient(databaseTarget(urlOfAllMembers(primary, standby)))
    await client.connect()
    expect((await client.query(whereAmI)).rows).toEqual([{ port: portOf(standby) }])
    await client.end()
  })
})
