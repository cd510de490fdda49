import pg from 'pg'
import { setUpAppHere } from './support/authenticator-app'
import { makeOwnProduct, type OwnProduct } from './support/own-product'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

/** An instance with one setting from the environment. The instance admin changes the other settings. */
let product: OwnProduct
test.beforeAll(async () => {
  product = await makeOwnProduct()
  await product.start({ LATCHKEY_SETTINGS: '{"sessionDays": {"value": 20, "locked": true}}' })
})
test.afterAll(() => product.stop())

async function makeInstanceAdmin(email: string): Promise<void> {
  const client = new pg.Client({ connectionString: product.databaseUrl })
  await client.connect()
  await client.query('UPDATE users SET instance_admin = true WHERE email = $1', [email])
  await client.end()
}

test('an instance admin who requires two-factor authentication for instance admins must set it up to open /admin', async ({
  browser,
}) => {
  const { url } = product
  const tab = async () => (await browser.newContext({ baseURL: url })).newPage()
  const [page, theirs] = [await tab(), await tab()]
  const instanceAdmin = await signUp(page, 'Ada Admin')
  await makeInstanceAdmin(instanceAdmin.email)
  await signUp(theirs, 'Grace Plain')

  await page.goto('/admin/settings')
  const locked = page.getByLabel('Sessions end after (days)', { exact: true })
  await expect(locked).toBeDisabled()
  await expect(locked).toHaveValue('20')
  await expect(locked).toHaveAccessibleDescription(/Set by LATCHKEY_SETTINGS in the environment/)
  const demanded = page.getByLabel('Required for')
  await expect(demanded).toHaveValue('none')
  await demanded.selectOption('Instance admins, before they open these pages')
  await page.getByRole('button', { name: 'Save' }).click()

  // An instance admin without two-factor authentication is redirected to the setup from /admin pages only.
  const setUp = page.getByRole('heading', { name: 'Set up two-factor authentication' })
  await expect(setUp).toBeVisible()
  for (const area of ['/admin', '/admin/people', '/admin/settings']) {
    await page.goto(area)
    await expect(page).toHaveURL(`${url}/two-factor?next=${encodeURIComponent(area)}`)
    await expect(setUp).toBeVisible()
  }
  await page.goto('/account/tokens')
  await expect(page.getByRole('heading', { name: 'Tokens', level: 1 })).toBeVisible()
  for (const open of ['/account/tokens', '/workspaces']) {
    await theirs.goto(open)
    await expect(theirs).toHaveURL(url + open)
  }

  await page.goto('/admin/settings')
  await setUpAppHere(page, instanceAdmin.password)
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${url}/admin/settings`)
  await expect(page.getByLabel('Required for')).toHaveValue('instance-admins')
  await expect(page.getByLabel('Sessions end after (days)', { exact: true })).toHaveValue('20')

  await page.goto('/admin/audit?search=setting.changed')
  const event = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')
  await expect(event).toHaveCount(1)
  await event.locator('summary').click()
  await expect(event).toContainText('Ada Admin changed the setting')
  for (const said of ['requireTwoFactor', 'none', 'instance-admins']) await expect(event).toContainText(said)
  await page.context().close()
  await theirs.context().close()
})
