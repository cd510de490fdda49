import { expect, it } from 'vitest'
import { add, tallyPlaywright, tallyVitest } from './tally'

const vitest = { success: true, numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, testResults: [] }
const playwright = { stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 0 }, errors: [] }

it('counts what the reports say', () => {
  expect(tallyVitest(vitest, 0)).toEqual({ passed: 3, failed: 0, skipped: 1 })
  expect(tallyVitest({ ...vitest, numFailedTests: 2 }, 1)).toMatchObject({ passed: 3, failed: 2 })
  expect(tallyPlaywright(playwright, 0)).toEqual({ passed: 4, failed: 0, skipped: 0 })
  expect(add({ passed: 1, failed: 2 }, { passed: 3, failed: 4, skipped: 5 })).toEqual({
    passed: 4,
    failed: 6,
    skipped: 5,
  })
})

it('never takes a broken run for a good one', () => {
  expect(tallyVitest(undefined, 0).failed).toBe(1)
  expect(tallyVitest(vitest, 1).failed).toBe(1)
  const broken = { status: 'failed', assertionResults: [] }
  expect(tallyVitest({ ...vitest, testResults: [broken, broken] }, 1).failed).toBe(2)
  expect(tallyPlaywright(undefined, 1).failed).toBe(1)
  expect(tallyPlaywright({ ...playwright, errors: [{}] }, 1).failed).toBe(1)
  expect(tallyPlaywright(playwright, 1).failed).toBe(1)
})
