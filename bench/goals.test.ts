import { expect, it } from 'vitest'
import { longConsent, operationGoals, pageGoals } from './goals'
import type { Round } from './report'

const round = (
  target: string,
  operation: Round['operation'],
  [server, database]: [number, number],
  rps: number,
): Round => ({
  ...{ target, operation, rps, round: 0, requests: 1, p50: 1, p99: 1, failures: 0 },
  cpu: { server, database, driver: 0 },
})

it('compares the CPU of server and database, and shows the throughput', () => {
  const rounds = [round('latchkey', 'refresh-web', [60, 40], 400), round('p2', 'refresh-web', [400, 50], 200)]
  expect(operationGoals(rounds, 'latchkey')).toContain(
    '| refresh-web: at least 5 x p2 | 4.50 | 2.00 | **not met** |',
  )
  rounds.push(round('p3', 'refresh-web', [500, 300], 40))
  expect(operationGoals(rounds, 'latchkey')).toContain(
    '| refresh-web: at least 8 x p3 | 8.00 | 10.00 | met |',
  )
})

it('applies the same goals to every kind of app, algorithm, and rotation', () => {
  for (const operation of [
    'refresh-native',
    'refresh-web-kept',
    'refresh-web-rs256',
    'code-native',
  ] as const) {
    const judged = operationGoals(
      [round('latchkey', operation, [1, 1], 1), round('p1', operation, [1, 0], 1)],
      'latchkey',
    )
    const times = operation === 'code-native' ? 0.85 : 0.65
    expect(judged).toContain(`| ${operation}: at least ${times} x p1 | 0.50 | 1.00 | **not met** |`)
  }
})

it('is empty without a goal or a target to compare with', () => {
  expect(operationGoals([round('latchkey', 'graphql-members', [1, 1], 1)], 'latchkey')).toBe('')
  expect(operationGoals([round('latchkey', 'userinfo-web', [1, 1], 1)], 'latchkey')).toBe('')
  expect(operationGoals([round('p1', 'refresh-web', [1, 1], 1)], 'latchkey')).toBe('')
})

it('compares pages by their size and their cost', () => {
  const judged = pageGoals([
    { page: 'login', js: 15_000, cpu: 14_999 },
    { page: longConsent, js: 14_999, cpu: 25_000 },
  ])
  expect(judged).toContain('| login: less than 15 kB of JavaScript | 15.0 kB |  | **not met** |')
  expect(judged).toContain('| login: less than 15 ms | 15.0 ms |  | met |')
  expect(judged).toContain('| consent with 400 choices: less than 15 kB of JavaScript | 15.0 kB |  | met |')
  expect(judged).toContain('| consent with 400 choices: less than 25 ms | 25.0 ms |  | **not met** |')
})
