import { expect, it } from 'vitest'
import { longConsent, memoryGoals, operationGoals, pageGoals, signInGoals } from './goals'
import type { Round } from './report'

const round = (
  target: string,
  operation: Round['operation'],
  [server, database]: [number, number] = [1, 1],
): Round => ({
  ...{ target, operation, rps: 1, round: 0, requests: 1, p50: 1, p99: 1, failures: 0 },
  cpu: { server, database, driver: 0 },
})

it('the table of goals compares server and database CPU, and lists goals that were not measured', () => {
  const rounds = [round('latchkey', 'refresh-web', [100, 400]), round('p1', 'refresh-web', [59, 0])]
  const judged = operationGoals(rounds, 'latchkey')
  expect(judged).toContain('| refresh-web: at least 0.60 x p1, CPU of the server | 0.59 | **missed** |')
  expect(judged).toContain('| refresh-web: at least 3.00 x hydra, CPU of the server |  | not measured here |')
  rounds.push(round('hydra', 'refresh-web', [300, 100]), round('p0', 'refresh-web', [1, 340]))
  expect(operationGoals(rounds, 'latchkey')).toContain(
    '| refresh-web: at least 3.00 x hydra, CPU of the server | 3.00 | met |',
  )
  expect(operationGoals(rounds, 'latchkey')).toContain(
    '| refresh-web: at least 0.83 x p0, CPU of the database | 0.85 | met |',
  )
})

it('the goals of an operation also apply to native apps, reusable refresh tokens, and RS256', () => {
  for (const operation of [
    'refresh-native',
    'refresh-web-kept',
    'refresh-web-rs256',
    'code-native',
  ] as const) {
    const judged = operationGoals([round('latchkey', operation, [2, 0]), round('p1', operation)], 'latchkey')
    const times = operation === 'code-native' ? '0.65' : '0.60'
    expect(judged).toContain(
      `| ${operation}: at least ${times} x p1, CPU of the server | 0.50 | **missed** |`,
    )
  }
})

it('the table of goals compares GraphQL with the baseline commit only if that commit was measured', () => {
  const us = round('latchkey', 'graphql-page')
  expect(operationGoals([us, round('latchkey@0123456789', 'graphql-page', [9, 9])], 'latchkey')).toBe('')
  expect(operationGoals([us, round('latchkey@2e380618c3', 'graphql-page', [2, 2])], 'latchkey')).toContain(
    '| 2.00 | met |',
  )
})

it('the table of goals is empty if there is no goal, no server to compare with, or no measurement of Latchkey', () => {
  expect(operationGoals([round('latchkey', 'device-web')], 'latchkey')).toBe('')
  expect(operationGoals([round('latchkey', 'userinfo-web')], 'latchkey')).toBe('')
  expect(operationGoals([round('p1', 'refresh-web')], 'latchkey')).toBe('')
})

it('the goals for a first sign-in exclude the password hash', () => {
  const costs = { server: 60_000, database: 6_001, statements: 40, log: 1, stored: 1 }
  const steps = [{ name: 'consent sent', server: 3_000, database: 1, statements: 1 }]
  const judged = signInGoals({ steps, whole: costs }, 40_000)
  expect(judged).toContain('server without the password hash: at most 20 ms | 20.0 ms | met |')
  expect(judged).toContain('database: at most 6 ms | 6.0 ms | **missed** |')
  expect(judged).toContain('consent sent, server: at most 3 ms | 3.0 ms | met |')
})

it('the memory goals cover memory use after startup and its growth', () => {
  const judged = memoryGoals(172, [200, 205, 221])
  expect(judged).toContain('| memory after start: at most 180 MB | 180.4 MB | **missed** |')
  expect(judged).toContain('at most 1.1 | 1.10 | **missed** |')
})

it('the page goals cover script size and CPU cost', () => {
  const judged = pageGoals([
    { page: 'sign-in', js: 15_000, cpu: 14_999 },
    { page: longConsent, js: 14_999, cpu: 25_000 },
  ])
  expect(judged).toContain('| sign-in: less than 15 kB of JavaScript | 15.0 kB | **missed** |')
  expect(judged).toContain('| sign-in: less than 15 ms | 15.0 ms | met |')
  expect(judged).toContain('| consent with 400 choices: less than 15 kB of JavaScript | 15.0 kB | met |')
  expect(judged).toContain('| consent with 400 choices: less than 25 ms | 25.0 ms | **missed** |')
})
