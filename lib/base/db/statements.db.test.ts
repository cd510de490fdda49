import { afterEach, describe, expect, it } from 'vitest'
import { pool, sharedConnections } from './pool'
import { prisma, prismaStatementName } from './prisma'
import { dateOf, statement, type Timestamp } from './statements'

describe('a statement on shared connections', () => {
  const end = () => sharedConnections()?.end()
  afterEach(end)

  const echo = statement<{ value: number }, [number]>('echo', 'SELECT $1::int AS value', {
    connections: 'shared',
  })
  const divide = statement<object, [number]>('divide', 'SELECT 1 / $1::int', { connections: 'shared' })
  const sleep = statement<object, [number]>('sleep', 'SELECT pg_sleep($1)', { connections: 'shared' })
  const backend = statement<{ pid: number }, []>('backend', 'SELECT pg_backend_pid() AS pid', {
    connections: 'shared',
  })

  it('returns the correct result for each of many concurrent reads on two connections', async () => {
    const values = Array.from({ length: 200 }, (_, i) => i)
    const answers = await Promise.all(values.map((value) => echo(value)))
    expect(answers).toEqual(values.map((value) => [{ value }]))
    const pids = await Promise.all(values.map(() => backend()))
    expect(new Set(pids.map(([row]) => row?.pid)).size).toBe(2)
  })

  it('does not affect the reads before and after it if it fails', async () => {
    const answers = await Promise.allSettled([echo(1), echo(2), divide(0), divide(0), echo(3), echo(4)])
    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
  })

  it('fails if its connection is lost, and the next read opens a new connection', async () => {
    const [[first], [second]] = await Promise.all([backend(), backend()])
    const underWay = sleep(60)
    const failed = expect(underWay).rejects.toThrow()
    await pool().query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid', [
      [first?.pid, second?.pid],
    ])
    await failed
    const again = async () => (await Promise.all([backend(), backend()])).map(([row]) => row?.pid)
    const lost = async () => {
      const pids = await again()
      return [first, second].some((row) => pids.includes(row?.pid))
    }
    await expect.poll(lost).toBe(false)
  })

  it('completes before the connections are closed', async () => {
    await echo(0)
    const last = [echo(1), echo(2)]
    await end()
    expect(await Promise.all(last)).toEqual([[{ value: 1 }], [{ value: 2 }]])
    expect(await echo(3)).toEqual([{ value: 3 }])
  })
})

describe('a statement with JSON rows', () => {
  type Row = {
    text: string | null
    list: string[]
    number: number
    flag: boolean
    object: object
    bytes: string
  }

  const json = {
    text: '$1::text',
    list: `ARRAY[$1::text, 'b']`,
    number: '1.5',
    flag: '$1 IS NULL',
    object: `'{"a": [1]}'::jsonb`,
    bytes: `encode('\\x01ff'::bytea, 'hex')`,
  }
  const rows = 'FROM generate_series(1, 2)'
  const shared = statement<Row, [string | null]>('json-shared', rows, { connections: 'shared', json })
  const pooled = statement<Row, [string | null]>('json-pooled', rows, { json })

  it.each([
    ['shared', shared],
    ['pooled', pooled],
  ])('returns each column under its name and with its type: %s', async (_, read) => {
    const row = {
      text: 'x"\n',
      list: ['x"\n', 'b'],
      number: 1.5,
      flag: false,
      object: { a: [1] },
      bytes: '01ff',
    }
    expect(await read('x"\n')).toEqual([row, row])
    expect((await read(null))[0]).toMatchObject({ text: null, list: [null, 'b'], flag: true })
  })
})

describe('Prisma’s statements', () => {
  /** Returns the statements that the pool's connections have prepared for Prisma. */
  const prepared = async () => {
    const clients = await Promise.all(Array.from({ length: pool().options.max }, () => pool().connect()))
    const texts = `SELECT statement FROM pg_prepared_statements WHERE name LIKE 'prisma %'`
    const found = await Promise.all(clients.map((client) => client.query<{ statement: string }>(texts)))
    for (const client of clients) client.release()
    return found.flatMap(({ rows }) => rows.map(({ statement }) => statement))
  }

  it('are prepared on their third use', async () => {
    const read = () => prisma().user.count({ where: { name: 'an unused name', suspendedAt: null } })
    const hasText = (text: string) => text.includes('"name"') && text.includes('"suspended_at"')
    for (let use = 1; use <= 2; use++) expect(await read()).toBe(0)
    expect((await prepared()).filter(hasText)).toEqual([])
    expect(await read()).toBe(0)
    expect((await prepared()).filter(hasText)).toHaveLength(1)
  })

  it('are not prepared if they are rare or long, or if too many statements are prepared already', () => {
    const texts = Array.from({ length: 1_000 }, (_, i) => `SELECT ${i}`)
    expect(texts.map((sql) => prismaStatementName({ sql })).filter(Boolean)).toEqual([])
    const long = `SELECT ${' '.repeat(20_000)} 1`
    for (let use = 1; use <= 5; use++) expect(prismaStatementName({ sql: long })).toBe('')
    const hot = [1, 2, 3].flatMap(() => texts.slice(0, 300)).map((sql) => prismaStatementName({ sql }))
    expect(new Set(hot.filter(Boolean)).size).toBeLessThanOrEqual(200)
    expect(new Set(hot.filter(Boolean)).size).toBeGreaterThan(100)
  })
})

describe('a statement with textTimes', () => {
  const row = statement<{ at: Timestamp; count: number }, [Date]>(
    'text-times',
    'SELECT $1::timestamptz AS at, 1 AS count',
    { textTimes: true },
  )

  it('returns times as text that `dateOf` can convert, and leaves other values unchanged', async () => {
    const at = new Date('2026-11-21T09:30:00.123Z')
    const [found] = await row(at)
    expect(found).toEqual({ at: expect.any(String), count: 1 })
    expect(dateOf(found?.at ?? '')).toEqual(at)
    expect(dateOf(at)).toBe(at)
  })
})
