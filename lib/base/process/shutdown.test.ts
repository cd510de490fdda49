import { afterEach, expect, it, vi } from 'vitest'
import { onShutdown, runShutdownTasks } from './shutdown'

afterEach(() => vi.restoreAllMocks())

it('does every task, the last registered first, though one fails and one gets no answer from the database', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const done: string[] = []
  onShutdown('connections', async () => done.push('connections'))
  onShutdown('counters', () => new Promise(() => {}))
  onShutdown('a mail', async () => {
    throw new Error('refused')
  })
  onShutdown('jobs', async () => done.push('jobs'))
  await runShutdownTasks(200)
  expect(done).toEqual(['jobs', 'connections'])
  expect(log.mock.calls.flat()).toEqual([
    'while stopping, a mail failed: refused',
    'while stopping, counters failed: it was not done in time',
  ])
})
