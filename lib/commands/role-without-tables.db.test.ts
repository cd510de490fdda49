import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { endConnections } from '@/lib/base/db/pool'
import { keepUsedTables } from '@/lib/features/apps/authorizations/used-tables'
import { ready } from '@/lib/server/health'
import { captureLog } from '@/lib/testing/captured-log'
import { connectWith } from '@/lib/testing/fresh-process'
import { inspect } from './check'

const address = config().DATABASE_URL
const owner = new pg.Client({ connectionString: address })
await owner.connect()

// Create a role that can use all tables but owns none of them.
const role = `app_${randomBytes(6).toString('hex')}`
const schemas = 'public, used_tokens'
await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'app';
  GRANT USAGE ON SCHEMA ${schemas} TO ${role}; GRANT ALL ON ALL TABLES IN SCHEMA ${schemas} TO ${role}`)
const url = new URL(address)
Object.assign(url, { username: role, password: 'app' })
await connectWith({ DATABASE_URL: url.href })
const { release } = captureLog()
afterAll(async () => {
  release()
  await endConnections()
  await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  await owner.end()
})

const said = async () => {
  const found: string[] = []
  for await (const { what, state } of inspect()) if (what === 'used tokens') found.push(state)
  return found
}

it.skipIf(inject('workerUrls').length > 0)(
  'a role that cannot create the tables for used tokens can run the server, and /readyz and latchkey check report the problem',
  async () => {
    await keepUsedTables()
    const answer = await ready()
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { status: 'ready', usedTokens: 'no table of their own, tried again' },
    ])
    expect(await said()).toEqual(['doubtful'])

    await owner.query(`GRANT ${new URL(address).username} TO ${role}`)
    await keepUsedTables()
    expect(await (await ready()).json()).toEqual({ status: 'ready' })
    expect(await said()).toEqual([])
  },
)
