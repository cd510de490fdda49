import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from '@playwright/test'
import { cleanEnvironment } from '@/lib/testing/test-environment'
import { code, setUpApp } from './support/authenticator-app'
import { packedFolder } from './support/environment'
import { makeOwnProduct, type OwnProduct } from './support/own-product'
import { type NewUser, signUp } from './support/sign-up'
import { expect, signInByForm, test } from './support/test'

const [first, second, third] = [
  'b81f4e6d0c93a752f5e82d7b164c0a39',
  '6e02d9a4b7f1385c0e9d24b8a71f63c5',
  'd47a0f9c2b86e153f8c03d6a9b1e7254',
] as const

let packed: string
let product: OwnProduct
let url: string
test.beforeEach(async () => {
  packed = await packedFolder()
  product = await makeOwnProduct()
  url = product.url
})
test.afterEach(() => product.stop())

type Keys = { SECRET_KEY: string; SECRET_KEY_PREVIOUS?: string }

/** Runs a command on the server's database, as an instance admin would. */
const latchkey = (keys: Keys, ...words: string[]) => {
  const env = { ...cleanEnvironment(), ...keys, DATABASE_URL: product.databaseUrl, BASE_URL: url }
  return promisify(execFile)(process.execPath, [path.join(packed, 'dist/latchkey.js'), ...words], { env })
}

const another = async (browser: Browser): Promise<Page> =>
  (await browser.newContext({ baseURL: url })).newPage()

/** Signs in with the password and a second step in a new browser. */
async function signInWith(page: Page, { email, password }: NewUser, secondStep: string): Promise<void> {
  await signInByForm(page, email, password)
  await page.getByLabel('Code').fill(secondStep)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/workspaces\//)
}

async function keysOf(): Promise<string[]> {
  const { keys } = await (await fetch(`${url}/oauth/jwks`)).json()
  return keys.map(({ kid }: { kid: string }) => kid)
}

async function revealed(page: Page, project: string): Promise<void> {
  await page.goto(project)
  await page.getByRole('button', { name: 'Reveal API_KEY' }).click()
  await expect(page.getByLabel('Value of API_KEY')).toHaveText('kept for long')
}

test('after SECRET_KEY changes, the server decrypts all data with both keys, and after a reseal with only the new key', async ({
  browser,
}) => {
  test.slow()
  await product.start({ SECRET_KEY: first })
  const page = await another(browser)
  const user = await signUp(page)
  const { secret, recoveryCodes } = await setUpApp(page, user.password)
  await page.goto(`${user.home}/projects/new`)
  await page.getByLabel('Project name').fill('Rover')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByLabel('Environment name').fill('production')
  await page.getByRole('button', { name: 'Create environment' }).click()
  const project = page.url()
  const section = page.getByRole('region', { name: 'production' })
  await section.getByLabel('Name').fill('API_KEY')
  await section.getByLabel('Value', { exact: true }).fill('kept for long')
  await section.getByRole('button', { name: 'Add variable' }).click()
  await expect(section.getByRole('cell', { name: 'API_KEY', exact: true })).toBeVisible()
  await revealed(page, project)
  const registered = await (
    await fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Agent', redirect_uris: ['http://127.0.0.1/callback'] }),
    })
  ).json()
  const kids = await keysOf()

  const both = { SECRET_KEY: second, SECRET_KEY_PREVIOUS: first }
  await product.start(both)
  await revealed(page, project)
  expect(await keysOf()).toEqual(kids)
  await signInWith(await another(browser), user, recoveryCodes[0] as string)

  // The command is killed partway and run again while the server responds to requests.
  let asking = true
  const statuses = new Set<number>()
  const asks = (async () => {
    while (asking) statuses.add((await fetch(`${url}/oauth/jwks`)).status)
  })()
  const ended = latchkey(both, 'reseal')
  setTimeout(() => ended.child.kill('SIGKILL'), 300)
  await ended.catch(() => undefined)
  const { stdout } = await latchkey(both, 'reseal')
  expect(stdout).toContain('Everything is encrypted with SECRET_KEY.')
  asking = false
  await asks
  expect([...statuses]).toEqual([200])

  await product.start({ SECRET_KEY: second })
  await revealed(page, project)
  expect(await keysOf()).toEqual(kids)
  await signInWith(await another(browser), user, code(secret, 1))
  await signInWith(await another(browser), user, recoveryCodes[1] as string)
  const own = await fetch(registered.registration_client_uri, {
    headers: { authorization: `Bearer ${registered.registration_access_token}` },
  })
  expect(own.status).toBe(200)

  await expect(product.start({ SECRET_KEY: third })).rejects.toThrow(
    /SECRET_KEY does not decrypt the values stored in this database \(signing_keys\)/,
  )
})

test('a new instance shows how to create its first instance admin until one exists', async ({ browser }) => {
  await product.start({ SECRET_KEY: first })
  const page = await another(browser)
  const notice = page.getByText('This instance doesn’t have an instance admin yet.')
  await page.goto('/login')
  await expect(notice).toBeVisible()
  await expect(latchkey({ SECRET_KEY: first }, 'grant-admin', 'ada@example.com')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No user has the email address ada@example.com'),
  })
  const { email, name } = await signUp(page)
  await expect(notice).toBeVisible()
  const { stdout } = await latchkey({ SECRET_KEY: first }, 'grant-admin', email)
  expect(stdout).toContain(`${name} is now an instance admin.`)
  await page.goto('/admin')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect
    .poll(async () => {
      await page.goto('/account/profile')
      return notice.count()
    })
    .toBe(0)
})
