import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from './chromium'

/** What the global setup passes to the workers, which are separate processes. */
export type Environment = {
  /** The product's origin, by Playwright project. */
  urls: Record<'server' | 'routes', string>
  demoPassword: string
  /** The packed product outside the repository, or a file with the reason why it is missing: for `packedFolder`. */
  packing: { folder: string; failure: string }
  /** The migrated database that `makeOwnDatabase` copies. */
  templateUrl: string
  browser: Browser | undefined
}

const VARIABLE = 'LATCHKEY_E2E'

export const publish = (environment: Environment): void => {
  process.env[VARIABLE] = JSON.stringify(environment)
}

/** @throws Error outside of a Playwright run */
export function environment(): Environment {
  const value = process.env[VARIABLE]
  if (value === undefined)
    throw new Error('The browser tests run below `npm test -- e2e` or `npx playwright test`.')
  return JSON.parse(value)
}

/**
 * Waits for the packed product. The run packs it while the first tests run.
 * @returns a copy of it outside the repository
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
