import type { Page } from '@playwright/test'
import { addresses } from './pages/addresses'
import { expect, test } from './pages/test'
import { authorizeAddress, type Role, type World } from './pages/world'

// Unlike the other tests, these tests include animations, because an animation could move a page.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const walks: Partial<Record<Role, string[]>> = {
  anonymous: [
    'auth/login',
    'auth/signup',
    'auth/invitation',
    'oauth/device',
    'docs/web-apps',
    'docs/graphql',
  ],
  admin: [
    ...['workspace/projects', 'workspace/members', 'workspace/settings-developer-app'],
    ...[
      'workspace/settings-webhook',
      'workspace/settings-audit-log',
      'project/overview',
      'project/environment',
    ],
    ...['account/security', 'account/tokens', 'account/sessions', 'account/apps', 'oauth/consent'],
  ],
  instanceAdmin: ['admin/health', 'admin/people', 'admin/apps', 'admin/audit'],
}

const sizes = [
  { width: 1280, height: 800 },
  { width: 375, height: 812 },
]

const atConsent = (world: World) =>
  authorizeAddress(world, 'openid email project:viewer', { prompt: 'consent' })

function addressOf(name: string, world: World): string {
  if (name === 'oauth/consent') return atConsent(world)
  const address = addresses.find((one) => one.name === name)
  if (!address) throw new Error(`There is no page ${name}.`)
  return address.at(world)
}

type Shift = PerformanceEntry & { value: number; sources?: { node?: Node | null }[] }

/**
 * Shows a page without its scripts and images, then loads them.
 * @returns the share of the window that moved while they loaded, and the elements that moved
 */
async function wakeUp(page: Page, address: string): Promise<{ moved: number; by: string[] }> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/*', async (route) => {
    if (['script', 'image'].includes(route.request().resourceType())) await held
    await route.continue()
  })
  await page.goto(address, { waitUntil: 'commit' })
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  const since = await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
    return performance.now()
  })
  release()
  await page.waitForLoadState('networkidle')
  const shifts = await page.evaluate(
    (from) =>
      new Promise<{ value: number; by: string }[]>((resolve) => {
        const observer = new PerformanceObserver((list) => report(list.getEntries()))
        const report = (entries: PerformanceEntryList) =>
          resolve(
            (entries as Shift[])
              .filter(({ startTime }) => startTime > from)
              .map(({ value, sources = [] }) => {
                const node = sources[0]?.node
                const element = node instanceof Element ? node : node?.parentElement
                return { value, by: element?.outerHTML.slice(0, 120) ?? 'a removed element' }
              }),
          )
        observer.observe({ type: 'layout-shift', buffered: true })
        // Without a shift, the browser never calls the observer.
        requestAnimationFrame(() => setTimeout(() => report(observer.takeRecords())))
      }),
    since,
  )
  await page.unrouteAll()
  return { moved: shifts.reduce((sum, { value }) => sum + value, 0), by: shifts.map(({ by }) => by) }
}

for (const [role, names] of Object.entries(walks) as [Role, string[]][]) {
  test(`for the role ${role}, pages do not move while their scripts and images load`, async ({
    context,
    world,
    become,
  }) => {
    test.slow()
    await become(role)
    const restless: string[] = []
    // Measure both sizes at the same time, because most of the time is waiting.
    await Promise.all(
      sizes.map(async (size) => {
        const page = await context.newPage()
        await page.setViewportSize(size)
        for (const name of names) {
          const { moved, by } = await wakeUp(page, addressOf(name, world))
          if (moved >= 0.02)
            restless.push(`${name}, ${size.width} wide: ${moved.toFixed(3)} by ${by.join(', ')}`)
        }
      }),
    )
    expect(restless).toEqual([])
  })
}
