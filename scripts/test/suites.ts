import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { cleanEnvironment } from '@/lib/testing/test-environment'
import { type Tally, tallyPlaywright, tallyVitest } from './tally'
import { root, runTool, takeReport } from './tool'

/**
 * Returns a function that runs the unit tests or the integration tests. Test files that share a process run
 * before those that need a separate process (vitest.config.ts).
 */
export const vitest = (project: 'unit' | 'integration') => async (): Promise<Tally> => {
  const report = `test-results/${project}.json`
  takeReport(report)
  const reporters = [
    '--reporter=default',
    '--reporter=./scripts/test/vitest-report.ts',
    `--outputFile.json=${report}`,
  ]
  const code = await runTool('vitest', ['run', `--project=${project}*`, ...reporters], { CI: '1' })
  return tallyVitest(takeReport(report), code)
}

let building: Promise<unknown> | undefined

/**
 * Builds and packs the product in the background for the browser tests, because the stages before them do not
 * use all processors. If the build fails, the browser tests build again and report the error.
 */
export function buildAhead(): void {
  const script = path.join(root, 'scripts/start.mjs')
  building = once(
    spawn(process.execPath, [script, '--build'], { env: cleanEnvironment(), stdio: 'ignore' }),
    'exit',
  )
}

/** Runs all browser tests with our own server, and the tests with the tag `@mounts` with `next start`. */
export async function e2e(): Promise<Tally> {
  const report = 'test-results/e2e.json'
  takeReport(report)
  await building
  const code = await runTool('playwright', ['test'], { CI: '1' })
  return tallyPlaywright(takeReport(report), code)
}
