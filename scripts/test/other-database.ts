import { type Tally, tallyVitest, type VitestReport } from './tally'
import { runTool, takeReport } from './tool'

/**
 * Runs integration tests on a database other than the embedded one. If a test fails, sets the exit code of
 * this process to 1.
 * @param name the name of the report file in test-results
 * @param env selects the database (lib/testing/template-database.ts)
 * @param args paths of tests and options of vitest; without paths, all integration tests run
 * @returns the results and the number of test files
 */
export async function testOn(
  name: string,
  env: Record<string, string>,
  args: string[],
): Promise<Tally & { files: number }> {
  const report = `test-results/${name}.json`
  takeReport(report)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await runTool('vitest', ['run', '--project=integration*', ...reporters, ...args], env)
  const said = takeReport<VitestReport>(report)
  const tally = tallyVitest(said, code)
  if (tally.failed > 0) process.exitCode = 1
  return { ...tally, files: said?.testResults.length ?? 0 }
}

/** Returns a tally as text, for the last line of a run. */
export const inWords = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed, ${skipped ?? 0} skipped`
