import { afterEach, expect, it, vi } from 'vitest'
import { log } from '@/lib/base/log/log'
import { onShutdown, runShutdownTasks } from './shutdown'

afterEach(() => vi.restoreAllMocks())

it('does every task, the last registered first, though one fails and one gets no answer from the database', async () => {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
  const done: string[] = []
  onShutdown('connections', async () => done.push('connections'))
  onShutdown('counters', () => new Promise(() => {}))
  onShutdown('a mail', async () => {
    throw new Error('refused')
  })
  onShutdown('jobs', async () => done.push('jobs'))
  await runShutdownTasks(200)
  expect(done).toEqual(['jobs', 'connections'])
  expect(warn.mock.calls.map(([, fields]) => fields)).toEqual([
    { name: 'a mail', error: new Error('refused') },
    { name: 'counters', error: new Error('it was not done in time') },
  ])
})
