import type { Page } from '@playwright/test'
import { ruleOf } from '@/lib/base/http/addresses'
import { addresses, redirects } from './pages/addresses'
import { journeys } from './pages/journeys'
import { meets, opensPage, richestRole, samplesOf } from './pages/listing'
import { expect, overflow, test, visit } from './pages/test'
import { roles } from './pages/world'
import { findBarriers, loadAxe } from './support/accessibility'
import { lostBySpacing } from './support/text-spacing'

/**
 * Visits every page that e2e/pages lists, in every role. Checks access, and looks for accessibility problems.
 */

// In the default mode, one worker would run all tests of this file, long after the other workers have
// finished.
test.describe.configure({ mode: 'parallel' })
// Tracing each step on several hundred pages would take most of the time.
test.use({ trace: 'off' })

/**
 * The window sizes to check: the narrowest window that a page must fit (WCAG 1.4.10: 1280 pixels at 400%
 * zoom), 1280 by 720 pixels at 200% zoom (1.4.4), a tablet, and a very wide screen.
 */
const sizes = [
  { width: 320, height: 640 },
  { width: 640, height: 360 },
  { width: 768, height: 1024 },
  { width: 2560, height: 1440 },
]

/**
 * The maximum size of a page's scripts, in compressed bytes. `plain` is for auth pages and docs. The explorer
 * is an editor and has no limit.
 */
const mostScript = { console: 200_000, plain: 15_000 }
const heavier = ['/graphql/explorer']

/** The first address of each page template. */
const samples = samplesOf(addresses)

/**
 * The extent of the checks. `all` runs axe in both color schemes, and checks every window size and increased
 * text spacing. `axe` runs axe in one scheme, and checks the narrowest size. `width` checks only the
 * narrowest size.
 */
type Depth = 'all' | 'axe' | 'width'

/**
 * Returns the total size of the scripts that a page has loaded, in compressed bytes. Does not count the
 * strength meter, which loads only when a field for a new password receives the focus.
 */
const scriptWeight = (page: Page): Promise<number> =>
  page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => /(?<!\/strength)\.js$/.test(new URL(name).pathname))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  )

/** Returns the maximum size of the scripts of a page, in compressed bytes. */
function mostScriptOf(pathname: string): number {
  if (heavier.includes(pathname)) return Number.POSITIVE_INFINITY
  return ruleOf(pathname).withoutScripts ? mostScript.plain : mostScript.console
}

/** Returns the faults of the page in its current state. */
async function findFaults(page: Page, depth: Depth): Promise<string[]> {
  const faults = depth === 'width' ? [] : await findBarriers(page, depth === 'all' ? 'both' : 'light')
  if ((await page.locator('h1').count()) === 0) faults.push('no heading of level 1')
  const weight = await scriptWeight(page)
  if (weight > mostScriptOf(new URL(page.url()).pathname)) faults.push(`${weight} bytes of script`)
  const usual = page.viewportSize()
  for (const size of depth === 'all' ? sizes : sizes.slice(0, 1)) {
    await page.setViewportSize(size)
    const wider = await overflow(page)
    if (wider > 0) faults.push(`${wider} pixels wider than a window of ${size.width}`)
  }
  if (usual) await page.setViewportSize(usual)
  if (depth === 'all') faults.push(...(await lostBySpacing(page)).map((lost) => `with text spaced: ${lost}`))
  return faults
}

for (const role of roles) {
  test(`for the role ${role}, every page responds as listed and has no accessibility or layout faults`, async ({
    page,
    context,
    world,
    become,
  }) => {
    test.slow()
    await loadAxe(context)
    await become(role)
    const faults: string[] = []
    for (const address of addresses) {
      const { name, at, seenBy, status = 200 } = address
      const met = meets(role, seenBy)
      if (met === 'page' && opensPage(role, address, samples.has(address))) {
        const answered = await visit(page, address, world)
        if (answered !== status) faults.push(`${name}: ${answered} instead of ${status}`)
        // Other roles see the same page with fewer controls, so only its width is checked.
        const depth = role !== richestRole(seenBy) ? 'width' : samples.has(address) ? 'all' : 'axe'
        faults.push(...(await findFaults(page, depth)).map((fault) => `${name}: ${fault}`))
        continue
      }
      const answer = await context.request.get(at(world), { maxRedirects: 0 })
      const { location = '' } = answer.headers()
      const expected = met === 'page' ? status : met === 'missing' ? 404 : 307
      if (answer.status() !== expected || (met === 'sign-in' && !location.includes('/login?next='))) {
        faults.push(`${name}: ${answer.status()} ${location} instead of ${met}`)
      }
    }
    expect(faults).toEqual([])
  })
}

for (const { as, sights, go } of journeys) {
  test(`pages that require several steps have no accessibility or layout faults: ${sights.map(({ name }) => name).join(', ')}`, async ({
    page,
    context,
    world,
    become,
  }) => {
    await loadAxe(context)
    await become(as)
    const faults: string[] = []
    let seen = 0
    await go(page, world, async () => {
      const name = sights[seen++]?.name
      faults.push(...(await findFaults(page, 'all')).map((fault) => `${name}: ${fault}`))
    })
    expect(faults).toEqual([])
    expect(seen).toBe(sights.length)
  })
}

test('each listed redirect leads to its target page', async ({ page, become }) => {
  await become('admin')
  for (const { route, to } of redirects) {
    await page.goto(route)
    expect(new URL(page.url()).pathname).toMatch(to)
  }
})
