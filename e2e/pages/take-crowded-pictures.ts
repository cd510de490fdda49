import type { Browser, Page } from '@playwright/test'
import pg from 'pg'
import { table } from '@/bench/table'
import { openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { environment } from '../support/environment'
import { takeScreenshots } from '../support/screenshots'
import { startProduct } from '../support/servers'
import { signInByForm, test } from '../support/test'
import { users } from '../support/users'
import { crowd, crowdSettings } from './crowd'
import { authorizeAddress } from './world'

/**
 * `npm run screenshots` saves screenshots of pages with long lists, and of states that require a setting, in
 * test-results/screens/pages/crowd. It also measures the console's pages. `npm run screenshots -- -g figures`
 * only measures them.
 */

type Sight = { name: string; at: string; open?: (page: Page) => Promise<unknown> }

const asks = (clientId: string, scope: string, redirectUri = 'https://app.example/callback') =>
  authorizeAddress({ clientId, redirectUri }, scope, { prompt: 'consent' })

const settings = '/workspaces/acme/settings'

const sights: Sight[] = [
  { name: 'home', at: '/workspaces/acme' },
  {
    name: 'switcher',
    at: '/workspaces/acme',
    open: (page) => page.locator('summary').filter({ hasText: 'Workspace' }).click(),
  },
  { name: 'workspaces', at: '/workspaces' },
  { name: 'projects', at: '/workspaces/acme/projects' },
  { name: 'members', at: '/workspaces/acme/members' },
  { name: 'consent-workspaces', at: asks('crowd-1', 'openid offline_access workspace:admin') },
  { name: 'consent-projects', at: asks('crowd-1', 'openid project:member') },
  { name: 'consent-both', at: asks('crowd-1', 'openid workspace:viewer project:member') },
  {
    name: 'consent-needs-approval',
    at: asks('crowd-1', 'openid workspace:member'),
    open: (page) => page.getByText('Request approval').first().scrollIntoViewIfNeeded(),
  },
  { name: 'app-awaits-approval', at: asks('waiting-1', 'openid', 'http://127.0.0.1/callback') },
  { name: 'app-in-development', at: asks('developed', 'openid workspace:viewer') },
  { name: 'installed-apps', at: `${settings}/apps` },
  { name: 'installed-app', at: `${settings}/apps/crowd-1` },
  { name: 'policy-review', at: `${settings}/apps?policy=OWN` },
  { name: 'sso', at: `${settings}/sso` },
  { name: 'app-offered', at: `${settings}/developer` },
  { name: 'apps', at: '/workspaces/globex/settings/developer' },
  { name: 'app-overview', at: '/workspaces/globex/settings/developer/crowd-1/overview' },
  { name: 'app-users', at: '/workspaces/globex/settings/developer/crowd-1/people' },
  { name: 'app-offer', at: '/workspaces/globex/settings/developer/crowd-7/danger' },
  { name: 'authorized-apps', at: '/account/apps' },
  { name: 'connected-accounts', at: '/account/security' },
  { name: 'connect', at: '/login/connect?provider=google' },
  { name: 'usage', at: `${settings}/usage` },
  { name: 'audit-log', at: `${settings}/audit-log` },
  { name: 'admin-health', at: '/admin' },
  { name: 'admin-activity', at: '/admin/activity' },
  { name: 'admin-users', at: '/admin/people' },
  { name: 'admin-workspaces', at: '/admin/workspaces' },
  { name: 'admin-apps', at: '/admin/apps' },
  { name: 'admin-apis', at: '/admin/apis' },
  { name: 'admin-api', at: '/admin/apis/lk_api_crowd1' },
  { name: 'app-settings', at: '/workspaces/globex/settings/developer/crowd-1' },
  { name: 'admin-apps-waiting', at: '/admin/apps?state=waiting' },
  {
    name: 'admin-workspace-abandoned',
    at: '/admin/workspaces?search=left',
    open: async (page) => {
      await page.getByRole('link', { name: 'Left behind' }).click()
      await page.getByRole('heading', { name: 'Left behind', level: 1 }).waitFor()
    },
  },
]

let product: Awaited<ReturnType<typeof startProduct>>
let database: Awaited<ReturnType<typeof openEmbeddedDatabase>>

test.beforeAll(async () => {
  product = await startProduct([], environment().demoPassword, crowdSettings)
  await product.ready
  database = await openEmbeddedDatabase(product.dataDir)
  await fill(database.url)
})

test.afterAll(async () => {
  await database.release()
  await product.stop()
})

const signedIn = async (browser: Browser) => {
  const page = await browser.newPage({ baseURL: product.url, locale: 'en-GB' })
  await signInByForm(page, users.ada.email, environment().demoPassword)
  return page
}

test('takes screenshots of pages with 200 of everything', async ({ browser }) => {
  const anonymous = await browser.newPage({ baseURL: product.url, locale: 'en-GB' })
  await anonymous.goto('/login')
  await takeScreenshots(anonymous, 'pages/crowd/login')
  await anonymous.close()
  const page = await signedIn(browser)
  for (const { name, at, open } of sights) {
    await page.goto(at)
    await open?.(page)
    await takeScreenshots(page, `pages/crowd/${name}`)
  }
  await page.close()
})

/**
 * The goals for console pages, as maximum values: decoded kilobytes of scripts and of HTML, milliseconds
 * until the first byte (95th percentile), and the layout shift. The test prints a missed goal but does not
 * fail.
 */
const most = { script: 350, html: 120, firstByte: 300, shift: 0 }

/**
 * The number of times each page is loaded. The first load is a warm-up whose time until the first byte is
 * ignored.
 */
const loads = 6

test('measures the figures of console pages with 200 of everything', async ({ browser }) => {
  const page = await signedIn(browser)
  const times: number[] = []
  const rows: (string | number)[][] = []
  for (const { name, at } of sights.filter((sight) => /^\/(workspaces|account|admin)/.test(sight.at))) {
    const all: Figures[] = []
    for (let load = 0; load < loads; load++) {
      await page.goto(at, { waitUntil: 'networkidle' })
      all.push(await page.evaluate(measure))
    }
    const warm = all.slice(1).map(({ firstByte }) => firstByte)
    times.push(...warm)
    const [first] = all as [Figures, ...Figures[]]
    rows.push([name, first.script, first.html, Math.max(...warm), Math.max(...all.map(({ shift }) => shift))])
  }
  const largest = (column: number) => Math.max(...rows.map((row) => Number(row[column])))
  const slow = times.sort((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] as number
  console.log(table(['page', 'script KB', 'HTML KB', 'first byte ms', 'layout shift'], rows))
  const goals: [string, number, number][] = [
    ['script of the largest page, KB', largest(1), most.script],
    ['HTML of the largest page, KB', largest(2), most.html],
    [`first byte, 95th percentile of ${times.length} loads, ms`, slow, most.firstByte],
    ['layout shift of the worst page', largest(4), most.shift],
  ]
  const verdict = (measured: number, bound: number) => (measured <= bound ? 'met' : '**missed**')
  console.log(
    table(
      ['figure', 'measured', 'goal: at most', ''],
      goals.map(([name, measured, bound]) => [name, measured, bound, verdict(measured, bound)]),
    ),
  )
  await page.close()
})

type Figures = { script: number; html: number; firstByte: number; shift: number }

/** Measures the current page. Runs in the browser. */
async function measure(): Promise<Figures> {
  const kilobytes = (entries: PerformanceResourceTiming[]) =>
    Math.round(entries.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0) / 1024)
  const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const [document] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming]
  const shifts = await new Promise<PerformanceEntryList>((resolve) => {
    const observer = new PerformanceObserver((list) => resolve(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    // If the layout never shifts, the browser never calls the observer, so stop waiting after 50
    // milliseconds.
    setTimeout(() => resolve(observer.takeRecords()), 50)
  })
  return {
    script: kilobytes(loaded.filter(({ name }) => new URL(name).pathname.endsWith('.js'))),
    html: kilobytes([document]),
    firstByte: Math.round(document.responseStart - document.requestStart),
    shift: Number(
      shifts.reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0).toFixed(4),
    ),
  }
}

async function fill(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of crowd) await client.query(statement)
  } finally {
    await client.end()
  }
}
