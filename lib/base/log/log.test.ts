import { afterEach, beforeEach, expect, it } from 'vitest'
import { captureLog } from '@/lib/testing/captured-log'
import { log } from './log'
import { inRequest } from './request-scope'

let captured: ReturnType<typeof captureLog>
beforeEach(() => {
  captured = captureLog()
})
afterEach(() => captured.release())

it('writes one line of JSON for each entry, with its level, its time and its sentence', () => {
  log.info('something happened', { count: 3 })
  expect(captured.text()).toMatch(/^\{.*\}\n$/)
  expect(captured.entries()).toEqual([
    { level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), msg: 'something happened', count: 3 },
  ])
})

it('names the request in which it is called, however deep, and none outside', async () => {
  await Promise.all(
    ['one-request', 'another-request'].map((id) =>
      inRequest(id, async () => {
        await new Promise((resolve) => setImmediate(resolve))
        log.info(id)
      }),
    ),
  )
  log.info('outside')
  expect(captured.entries().map(({ msg, requestId }) => [msg, requestId])).toEqual([
    ['one-request', 'one-request'],
    ['another-request', 'another-request'],
    ['outside', undefined],
  ])
})

it('shows where a defect is, and of what is merely away nothing but what it says', () => {
  log.error('a defect', { error: new Error('why') })
  log.warn('an outage', { error: new Error('why') })
  const [defect, outage] = captured.entries().map(({ error }) => error as { stack?: string })
  expect(defect?.stack).toContain('log.test.ts')
  expect(outage).not.toHaveProperty('stack')
})

it('sums up troubles that are the same, and says so at the end', () => {
  const away = (code: string) => Object.assign(new Error('away'), { code })
  for (const code of ['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED', '57P01']) {
    log.warn('the database does not answer', { name: 'form', error: away(code) })
  }
  log.warn('the database does not answer', { name: 'page', error: away('57P01') })
  for (let times = 0; times < 3; times++) log.info('somebody came')
  expect(captured.entries().map(({ msg }) => msg)).toEqual([
    ...Array(3).fill('the database does not answer'),
    ...Array(3).fill('somebody came'),
  ])
  captured.release()
  expect(captured.entries().at(-1)).toMatchObject({
    level: 'warn',
    msg: 'the database does not answer',
    name: 'form',
    repeated: 2,
    error: { code: 'ECONNREFUSED' },
  })
})

it('takes defects of one name for different ones when they were thrown at different places', () => {
  const one = () => new TypeError('no such property')
  const other = () => new TypeError('no such property')
  log.error('a page failed', { error: one() })
  log.error('a page failed', { error: other() })
  expect(captured.entries()).toHaveLength(2)
})
