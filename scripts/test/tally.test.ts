import { expect, it } from 'vitest'
import { add, tallyPlaywright, tallyVitest } from './tally'

const vitest = {
  success: true,
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  unhandledErrors: [],
  testResults: [],
}
const playwright = { stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 0 }, errors: [], suites: [] }

it('the tally counts the results in the reports', () => {
  expect(tallyVitest(vitest, 0)).toEqual({ passed: 3, failed: 0, skipped: 1, lines: [] })
  expect(tallyVitest({ ...vitest, numFailedTests: 2 }, 1)).toMatchObject({ passed: 3, failed: 2 })
  expect(tallyPlaywright(playwright, 0)).toEqual({ passed: 4, failed: 0, skipped: 0, lines: [] })
  expect(add({ passed: 1, failed: 2 }, { passed: 3, failed: 4, skipped: 5 })).toEqual({
    passed: 4,
    failed: 6,
    skipped: 5,
    lines: [],
  })
})

it('the tally counts a broken run as failed', () => {
  expect(tallyVitest(undefined, 0).failed).toBe(1)
  expect(tallyVitest(vitest, 1).failed).toBe(1)
  const broken = { name: 'a.test.ts', status: 'failed', message: '', assertionResults: [] }
  expect(tallyVitest({ ...vitest, testResults: [broken, broken] }, 1).failed).toBe(2)
  expect(tallyPlaywright(undefined, 1).failed).toBe(1)
  expect(tallyPlaywright({ ...playwright, errors: [{}] }, 1).failed).toBe(1)
  expect(tallyPlaywright(playwright, 1).failed).toBe(1)
})

it('the tally counts and lists errors outside of tests', () => {
  const passed = { fullName: 'passes', status: 'passed', failureMessages: [] }
  const hook = { name: 'a.test.ts', status: 'failed', message: 'no\n at x', assertionResults: [passed] }
  expect(
    tallyVitest({ ...vitest, testResults: [hook], unhandledErrors: ['Error: lost\n at y'] }, 1),
  ).toMatchObject({
    passed: 3,
    failed: 2,
    lines: ['failed: a.test.ts: no', 'failed: error outside of a test: Error: lost'],
  })
})

it('the tally lists the titles of failed and repeated tests', () => {
  const test = (fullName: string, status: string, ...failureMessages: string[]) => ({
    fullName,
    status,
    failureMessages,
  })
  const a = {
    name: 'a.test.ts',
    status: 'failed',
    message: '',
    assertionResults: [
      test('holds', 'passed'),
      test('holds late', 'passed', 'no'),
      test('fails', 'failed', 'no'),
    ],
  }
  const broken = { name: 'b.test.ts', status: 'failed', message: '', assertionResults: [] }
  expect(tallyVitest({ ...vitest, testResults: [a, broken] }, 1).lines).toEqual([
    'passed on the second attempt: a.test.ts: holds late: no',
    'failed: a.test.ts: fails: no',
    'failed: b.test.ts',
  ])
  const spec = (title: string, status: string) => ({ file: 'c.spec.ts', title, tests: [{ status }] })
  const inner = { specs: [spec('is late', 'flaky')] }
  const outer = { suites: [inner], specs: [spec('is seen', 'expected'), spec('is lost', 'unexpected')] }
  expect(tallyPlaywright({ ...playwright, suites: [outer] }, 1).lines).toEqual([
    'failed: c.spec.ts: is lost',
    'passed on the second attempt: c.spec.ts: is late',
  ])
})
