/** What one stage of the tests came to. */
export type Tally = { passed: number; failed: number; skipped?: number }

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: (a.skipped ?? 0) + (b.skipped ?? 0),
})

export type VitestReport = {
  success: boolean
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

/**
 * Counts a run of vitest.
 * @param report its JSON report; undefined when it wrote none
 * @param exitCode a run that failed without any failed test (an unhandled rejection, a broken setup) counts as one failure
 */
export function tallyVitest(report: VitestReport | undefined, exitCode: number): Tally {
  if (!report) return { passed: 0, failed: 1 }
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length
  const failed = report.numFailedTests + brokenFiles
  return atLeastOneFailure(
    { passed: report.numPassedTests, failed, skipped: report.numPendingTests },
    exitCode,
  )
}

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: unknown[]
}

/** Counts a run of Playwright, as `tallyVitest` does. Errors outside of any test count one each. */
export function tallyPlaywright(report: PlaywrightReport | undefined, exitCode: number): Tally {
  if (!report) return { passed: 0, failed: 1 }
  const { expected, unexpected, flaky, skipped } = report.stats
  return atLeastOneFailure(
    { passed: expected + flaky, failed: unexpected + report.errors.length, skipped },
    exitCode,
  )
}

const atLeastOneFailure = (tally: Tally, exitCode: number): Tally =>
  exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
