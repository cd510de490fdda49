import type { Browser } from './chromium'

/** What the global setup tells the workers, which are processes of their own. */
export type Environment = {
  /** The product's origin, by Playwright project. */
  urls: Record<'server' | 'routes', string>
  demoPassword: string
  /** A copy of the folder that `npm run build` makes, where nothing of the repository is within reach. */
  packed: string
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
