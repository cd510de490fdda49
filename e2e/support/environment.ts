import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from './chromium'

/** The values that the global setup passes to the workers, which are separate processes. */
export type Environment = {
  /** The product's origin, by Playwright project. */
  urls: Record<'server' | 'routes', string>
  demoPassword: string
  /**
   * The paths that `packedFolder` checks: the packed product outside the repository, and a file with the
   * reason if packing failed.
   */
  packing: { folder: string; failure: string }
  /** The URL of the migrated database that `makeOwnDatabase` copies. */
  templateUrl: string
  browser: Browser | undefined
}

const VARIABLE = 'LATCHKEY_E2E'

export const publish = (environment: Environment): void => {
  process.env[VARIABLE] = JSON.stringify(environment)
}

/** Returns the values from the global setup. @throws Error outside of a Playwright run */
export function environment(): Environment {
  const value = process.env[VARIABLE]
  if (value === undefined)
    throw new Error('Run the browser tests with `npm test -- e2e` or `npx playwright test`.')
  return JSON.parse(value)
}

/**
 * Waits for the packed product. The global setup packs the product while the first tests run.
 * @returns the path of a copy outside the repository
 * @throws Error if packing failed
 */
export async function packedFolder(): Promise<string> {
  const { folder, failure } = environment().packing
  while (!fs.existsSync(folder)) {
    if (fs.existsSync(failure)) throw new Error(fs.readFileSync(failure, 'utf8'))
    await sleep(100)
  }
  return folder
}
