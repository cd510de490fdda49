import type { Page } from '@playwright/test'

/** Returns the total size of the scripts that a page has loaded, in bytes as transferred (compressed). */
export const scriptWeight = (page: Page): Promise<number> =>
  page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  )
