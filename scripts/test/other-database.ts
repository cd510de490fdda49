import { tallyVitest } from './tally'
import { runTool, takeReport } from './tool'

/**
 * Runs integration tests on another database than the embedded one. A test that fails makes the process end with 1.
 * @param name of the report
 * @param env says which database (lib/testing/template-database.ts)
 * @param paths of tests; all of them where there is none
 * @returns what came of it, in words
 */
export async function testOn(name: string, env: Record<string, string>, paths: string[]): Promise<string> {
  const report = `test-results/${name}.json`
  takeReport(report)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await runTool('vitest', ['run', '--project=integration', ...reporters, ...paths], env)
  const { passed, failed, skipped } = tallyVitest(takeReport(report), code)
  if (failed > 0) process.exitCode = 1
  return `${passed} passed, ${failed} failed, ${skipped ?? 0} skipped`
}
