import { expect, it } from 'vitest'
import { operationGoals, pageGoals } from './goals'
import type { Round } from './report'

const round = (target: string, operation: Round['operation'], server: number, rps: number): Round => ({
  ...{ target, operation, rps, round: 0, requests: 1, p50: 1, p99: 1, failures: 0 },
  cpu: { server, database: 0, driver: 0 },
})

it('judges a ratio by the CPU of the server and shows the throughput beside it', () => {
  const rounds = [round('latchkey', 'refresh', 100, 400), round('p2', 'refresh', 450, 200)]
  expect(operationGoals(rounds, 'latchkey')).toContain(
    '| refresh: at least 5 x p2 | 4.50 | 2.00 | **not met** |',
  )
  rounds.push(round('p3', 'refresh', 900, 40))
  expect(operationGoals(rounds, 'latchkey')).toContain('| refresh: at least 9 x p3 | 9.00 | 10.00 | met |')
})

it('judges a limit without anybody to compare with', () => {
  expect(operationGoals([round('latchkey', 'jwks', 33.4, 1)], 'latchkey')).toContain('**not met**')
  expect(operationGoals([round('latchkey', 'jwks', 33, 1)], 'latchkey')).toContain('| 33 us |  | met |')
})

it('says nothing about what has no goal or nobody to compare with', () => {
  expect(operationGoals([round('latchkey', 'projects', 1, 1)], 'latchkey')).toBe('')
  expect(operationGoals([round('latchkey', 'userinfo', 1, 1)], 'latchkey')).toBe('')
  expect(operationGoals([round('p1', 'refresh', 1, 1)], 'latchkey')).toBe('')
})

it('judges pages by what they send and what they cost', () => {
  const judged = pageGoals([{ page: 'login', js: 60_000, cpu: 14_999 }])
  expect(judged).toContain('| login: less than 60 kB of JavaScript | 60.0 kB |  | **not met** |')
  expect(judged).toContain('| login: less than 15 ms | 15.0 ms |  | met |')
})
