import { describe, expect, it } from 'vitest'
import { deleteInBatches } from './batches'
import { pool } from './pool'

describe('deleteInBatches', () => {
  const old = { table: 'rate_limits', key: 'key', where: 'expire < 10' }
  const soon = () => performance.now() + 10_000
  const left = async () => (await pool().query('SELECT key FROM rate_limits ORDER BY key')).rows.length

  it('deletes several batches of matching rows but no other rows', async () => {
    await pool().query(
      `INSERT INTO rate_limits (key, expire) SELECT 'k' || n, CASE WHEN n <= 2500 THEN 1 ELSE 99 END FROM generate_series(1, 2600) n`,
    )
    expect(await deleteInBatches(old, soon())).toBe(2500)
    expect(await left()).toBe(100)
  })

  it('skips locked rows without waiting for them', async () => {
    await pool().query(
      `DELETE FROM rate_limits; INSERT INTO rate_limits (key, expire) VALUES ('held', 1), ('free', 1)`,
    )
    const other = await pool().connect()
    await other.query('BEGIN')
    await other.query(`UPDATE rate_limits SET points = 1 WHERE key = 'held'`)
    expect(await deleteInBatches(old, soon())).toBe(1)
    await other.query('ROLLBACK')
    other.release()
    expect(await deleteInBatches(old, soon())).toBe(1)
  })

  it('stops after one batch if its time limit has passed', async () => {
    await pool().query(
      `INSERT INTO rate_limits (key, expire) SELECT 'k' || n, 1 FROM generate_series(1, 2500) n`,
    )
    expect(await deleteInBatches(old, performance.now() - 1)).toBe(1000)
  })
})
