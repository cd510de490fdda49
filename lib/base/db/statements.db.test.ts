import { afterEach, describe, expect, it } from 'vitest'
import { pool } from './pool'
import { endSharedReads, packedStatement, readByKey } from './statements'

describe('shared reads', () => {
  afterEach(endSharedReads)

  const echo = readByKey<{ value: number }, [number]>('echo', 'SELECT $1::int AS value')
  const divide = readByKey<object, [number]>('divide', 'SELECT 1 / $1::int')
  const sleep = readByKey<object, [number]>('sleep', 'SELECT pg_sleep($1)')
  const backend = readByKey<{ pid: number }, []>('backend', 'SELECT pg_backend_pid() AS pid')

  it('gives each of many reads at once its own answer, over two connections', async () => {
    const values = Array.from({ length: 200 }, (_, i) => i)
    const answers = await Promise.all(values.map((value) => echo(value)))
    expect(answers).toEqual(values.map((value) => [{ value }]))
    const pids = await Promise.all(values.map(() => backend()))
    expect(new Set(pids.map(([row]) => row?.pid)).size).toBe(2)
  })

  it('fails a read alone, not those before and behind it', async () => {
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

  it('opens another connection after one is lost, and fails what was under way on it', async () => {
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

  it('answers what is under way before it closes', async () => {
    await echo(0)
    const last = [echo(1), echo(2)]
    await endSharedReads()
    expect(await Promise.all(last)).toEqual([[{ value: 1 }], [{ value: 2 }]])
    expect(await echo(3)).toEqual([{ value: 3 }])
  })
})

describe('packed statement', () => {
  type Row = {
    text: string | null
    list: string[]
    number: number
    flag: boolean
    object: object
    bytes: string
  }

  const read = packedStatement<Row, [string | null]>(
    'packed-statement-test',
    {
      text: '$1::text',
      list: `ARRAY[$1::text, 'b']`,
      number: '1.5',
      flag: '$1 IS NULL',
      object: `'{"a": [1]}'::jsonb`,
      bytes: `encode('\\x01ff'::bytea, 'hex')`,
    },
    'FROM generate_series(1, 2)',
  )

  it('gives each column its name and its type back', async () => {
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
