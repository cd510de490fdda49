import type { Page } from '@playwright/test'
import pg from 'pg'
import { openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { environment } from '../support/environment'
import { takeScreenshots } from '../support/screenshots'
import { startProduct } from '../support/servers'
import { signInByForm, test } from '../support/test'
import { users } from '../support/users'
import { crowd, crowdSettings } from './crowd'
import { authorizeAddress } from './world'

/**
 * `npm run screenshots`: pages with 200 of everything, and states that require a setting, in
 * test-results/screens/pages/crowd.
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

test('pictures with 200 of everything', async ({ browser }) => {
  const { demoPassword } = environment()
  const product = await startProduct([], demoPassword, crowdSettings)
  await product.ready
  const database = await openEmbeddedDatabase(product.dataDir)
  try {
    await fill(database.url)
    const page = await browser.newPage({ baseURL: product.url, locale: 'en-GB' })
    await page.goto('/login')
    await takeScreenshots(page, 'pages/crowd/login')
    await signInByForm(page, users.ada.email, demoPassword)
    for (const { name, at, open } of sights) {
      await page.goto(at)
      await open?.(page)
      await takeScreenshots(page, `pages/crowd/${name}`)
    }
    await page.close()
  } finally {
    await database.release()
    await product.stop()
  }
})

async function fill(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of crowd) await client.query(statement)
  } finally {
    await client.end()
  }
}
