import path from 'node:path'

/** The result of one or more test stages or checks. */
export type Tally = {
  passed: number
  failed: number
  skipped?: number
  /**
   * One line for each test that failed or passed only on the second attempt, with the test's title. Undefined
   * or empty if there are no such tests, or if the stage does not report titles.
   */
  lines?: string[]
}

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: (a.skipped ?? 0) + (b.skipped ?? 0),
  lines: [...(a.lines ?? []), ...(b.lines ?? [])],
})

export type VitestReport = {
  success: boolean
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  /** Errors outside of tests (vitest-report.ts). */
  unhandledErrors: string[]
  testResults: {
    name: string
    status: string
    /** The first error outside of the file's tests, such as in an `afterAll` hook, or an empty string. */
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

/**
 * Counts the results of a Vitest run. Each failed test, each file that failed outside of its tests, and each
 * unhandled error counts as one failure. A run without a report also counts as one failure.
 * @param report the JSON report of the run, or undefined if there is none
 * @param exitCode the run's exit code. If the code is not 0 and there is no failure, the run counts as one
 * failure
 */
export function tallyVitest(report: VitestReport | undefined, exitCode: number): Tally {
  if (!report) return { passed: 0, failed: 1 }
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'),
  )
  const { numPassedTests: passed, numFailedTests, numPendingTests: skipped, unhandledErrors } = report
  const failed = numFailedTests + brokenFiles.length + unhandledErrors.length
  const lines = [
    ...report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ failureMessages }) => failureMessages.length > 0)
        .map(({ status, fullName, failureMessages: [message = ''] }) =>
          line(
            status === 'passed' ? secondTry : 'failed',
            path.relative(process.cwd(), name),
            fullName,
            message,
          ),
        ),
    ),
    ...brokenFiles.map(({ name, message }) => line('failed', path.relative(process.cwd(), name), message)),
    ...unhandledErrors.map((error) => line('failed', 'error outside of a test', error)),
  ]
  return atLeastOneFailure({ passed, failed, skipped, lines }, exitCode)
}

/** Joins the parts that are not empty. Only the first line of each part is included. */
const line = (...parts: string[]) =>
  parts
    .map((part) => part.split('\n')[0])
    .filter(Boolean)
    .join(': ')

const secondTry = 'passed on the second attempt'

type PlaywrightSuite = {
  suites?: PlaywrightSuite[]
  specs?: { file: string; title: string; tests: { status: string }[] }[]
}

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: unknown[]
  suites: PlaywrightSuite[]
}

const tellSuite = ({ suites = [], specs = [] }: PlaywrightSuite): string[] => [
  ...specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ status }) => `${status === 'flaky' ? secondTry : 'failed'}: ${file}: ${title}`),
  ),
  ...suites.flatMap(tellSuite),
]

/**
 * Counts the results of a Playwright run, like `tallyVitest`. Each error outside of tests counts as one
 * failure.
 */
export function tallyPlaywright(report: PlaywrightReport | undefined, exitCode: number): Tally {
  if (!report) return { passed: 0, failed: 1 }
  const { expected, unexpected, flaky, skipped } = report.stats
  return atLeastOneFailure(
    {
      passed: expected + flaky,
      failed: unexpected + report.errors.length,
      skipped,
      lines: report.suites.flatMap(tellSuite),
    },
    exitCode,
  )
}

const atLeastOneFailure = (tally: Tally, exitCode: number): Tally =>
  exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
