import { randomBytes } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import pg from 'pg'
import { createApp } from './clients/oauth-app'
import { query } from './clients/query'
import { backToApp } from './support/back-to-app'
import { startTask } from './support/clicks'
import { makeToken } from './support/factors-by-token'
import { makeOwnProduct } from './support/own-product'
import { awaken } from './support/palette'
import { addMember, type NewUser, signUp } from './support/sign-up'
import { expect, test } from './support/test'

/**
 * Tests the most common tasks: the number of clicks that each one takes, at most as many as in the best
 * comparable product, and that users can take each step without scrolling. Typing does not count. Tasks in
 * the console start on the home page of a workspace. The run ends with a table of the results
 * (support/click-report.ts).
 */
test.use({ viewport: { width: 1280, height: 800 } })

const redirect = 'http://127.0.0.1:7777/callback'

/** Returns the path of a native app's authorization request. */
const authorizeAddress = (clientId: string, scope: string, redirectUri = redirect) =>
  `/oauth/auth?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })}`

/** Registers an agent. @returns its client ID */
async function registerAgent(request: APIRequestContext, name: string): Promise<string> {
  const registered = await request.post('/oauth/register', {
    data: { client_name: name, redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
  })
  return (await registered.json()).client_id
}

type Busy = NewUser & {
  workspaceId: string
  /** Sends a query or a mutation as the admin. */
  ask: <T>(text: string) => Promise<T>
}

/**
 * Signs up the admin of a workspace with eight projects and six apps, because pages with content are longer
 * than empty pages.
 */
async function signUpBusy(page: Page, baseURL: string | undefined, name: string): Promise<Busy> {
  const user = await signUp(page, name)
  const token = await makeToken(page, 'Setup')
  const ask = <T>(text: string) => query<T>(baseURL, token, text)
  const { me } = await ask<{ me: { workspaces: { id: string }[] } }>('{ me { workspaces { id } } }')
  const workspaceId = String(me.workspaces[0]?.id)
  const projects = Array.from(
    { length: 8 },
    (_, at) =>
      `p${at}: projectCreate(input: { workspaceId: "${workspaceId}", name: "Hangar ${at + 1}" }) { id }`,
  )
  const apps = Array.from(
    { length: 6 },
    (
      _,
      at,
    ) => `a${at}: oauthAppCreate(input: { workspaceId: "${workspaceId}", name: "Engine ${at + 1}", type: WEB,
      redirectUris: ["https://engine.example/callback"], inDevelopment: true }) { secret }`,
  )
  await ask(`mutation { ${projects.join(' ')} ${apps.join(' ')} }`)
  return { ...user, workspaceId, ask }
}

/** Opens the home page of a workspace, and waits until its scripts respond. */
async function openHome(page: Page, { home }: { home: string }): Promise<void> {
  await page.goto(home)
  await awaken(page)
}

const slugOf = ({ home }: { home: string }) => home.split('/').at(-1)

const mainPage = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })

/** Opens a page of the account with the menu at the bottom of the sidebar. */
async function openAccountPage(page: Page, name: string): Promise<void> {
  await page.locator('summary').filter({ hasText: 'Account' }).click()
  await page.getByRole('link', { name }).click()
}

/** Returns the button that revokes the secret with this value. */
const revokeSecret = (page: Page, secret: string) =>
  page.getByRole('button', { name: `Revoke the secret ending in ${secret.slice(-4)}` })

test('a user signs in with one click', async ({ page }) => {
  const { email, password, home } = await signUp(page, 'Dorothy Vaughan')
  await page.context().clearCookies()
  await page.goto('/login')
  const endTask = await startTask(page, 'Sign in', 1)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(home)
  endTask(1)
})

test('an admin creates an app and stores its secret in four clicks', async ({ page, baseURL }) => {
  await openHome(page, await signUpBusy(page, baseURL, 'Mary Jackson'))
  const endTask = await startTask(page, 'Create an OAuth app and get its secret', 4)
  await mainPage(page, 'Developer').click()
  await page.getByRole('button', { name: 'New OAuth App' }).first().click()
  await page.getByRole('textbox', { name: 'App name' }).fill('Wind Tunnel')
  await page.getByRole('textbox', { name: 'Redirect URIs' }).fill('https://tunnel.example/callback')
  await page.getByRole('button', { name: 'Create app' }).click()
  await expect(page.getByRole('textbox', { name: 'Client secret' })).toHaveValue(/^lk_cs_/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect(page).toHaveURL(/\/overview$/)
  endTask(4)
})

test('a developer finds the cause of a failed sign-in in one click', async ({ page, baseURL }) => {
  const user = await signUpBusy(page, baseURL, 'Annie Easley')
  const app = await createApp(page, {
    name: 'Centaur',
    type: 'Native',
    redirectUris: [redirect],
    workspace: slugOf(user),
  })
  const wrong = 'http://127.0.0.1:7777/other'
  expect((await page.goto(authorizeAddress(app.clientId, 'openid', wrong)))?.status()).toBe(400)
  const review = page.getByRole('link', { name: 'Review requests' })
  // The server records rejected requests within a second.
  await expect(async () => {
    await page.goto(user.home)
    await expect(review).toBeVisible({ timeout: 1_000 })
  }).toPass()
  const endTask = await startTask(page, 'Find out why a sign-in was refused', 4)
  await review.click()
  await expect(page.getByText(wrong).first()).toBeVisible()
  endTask(1)
})

test('an admin invites a colleague in two clicks', async ({ page, baseURL }) => {
  await openHome(page, await signUpBusy(page, baseURL, 'Evelyn Boyd'))
  const endTask = await startTask(page, 'Invite a colleague', 3)
  await page.getByRole('link', { name: 'Invite people' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill('marjorie@example.com')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText('marjorie@example.com is invited')).toBeVisible()
  endTask(2)
})

test('an admin approves a requested app in two clicks', async ({ page, request, baseURL }) => {
  const admin = await signUpBusy(page, baseURL, 'Christine Darden')
  const asAdmin = await page.context().cookies()
  await admin.ask(
    `mutation { workspaceAppPolicyUpdate(workspaceId: "${admin.workspaceId}", policy: APPROVED) { id } }`,
  )
  const clientId = await registerAgent(request, 'Sonic Planner')
  await page.context().addCookies(await addMember(page, admin.home, 'Gloria Champine', 'Member'))
  await page.goto(authorizeAddress(clientId, 'openid workspace:member'))
  await page.getByRole('button', { name: /^Request approval: Christine Darden/ }).click()
  await expect(page.getByText('Request sent. You’ll be notified of the decision.')).toBeVisible()
  await page.context().clearCookies()
  await page.context().addCookies(asAdmin)
  await openHome(page, admin)
  const endTask = await startTask(page, 'Approve a requested app', 2)
  await page.getByRole('link', { name: /^Review request: .*Sonic Planner/ }).click()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(page.getByText('App approved')).toBeVisible()
  endTask(2)
})

test('an admin replaces an app’s secret in five clicks', async ({ page, baseURL }) => {
  const user = await signUpBusy(page, baseURL, 'Kathryn Peddrew')
  const app = await createApp(page, {
    name: 'Altimeter',
    type: 'Web',
    redirectUris: ['https://altimeter.example/callback'],
    workspace: slugOf(user),
  })
  await openHome(page, user)
  const endTask = await startTask(page, 'Rotate a client secret', 5)
  await mainPage(page, 'Developer').click()
  const row = page
    .getByRole('list', { name: 'OAuth apps' })
    .getByRole('listitem')
    .filter({ hasText: 'Altimeter' })
  await row.getByRole('link', { name: 'Credentials' }).click()
  await page.getByRole('button', { name: 'Add secret' }).click()
  const added = page.getByRole('textbox', { name: 'Client secret' })
  await expect(added).toHaveValue(/^lk_cs_/)
  await revokeSecret(page, app.clientSecret).click()
  await page.getByRole('button', { name: 'Revoke secret' }).click()
  await expect(revokeSecret(page, app.clientSecret)).toHaveCount(0)
  // The new secret stays visible until the admin closes its panel, so a further click is needed only to hide
  // it.
  await expect(added).toHaveValue(/^lk_cs_/)
  endTask(5)
})

test('an admin replaces an app’s expiring secret and stores the new secret in five clicks', async ({
  page,
  baseURL,
}) => {
  const user = await signUpBusy(page, baseURL, 'Miriam Mann')
  const { clientId } = await createApp(page, {
    name: 'Barometer',
    type: 'Web',
    redirectUris: ['https://barometer.example/callback'],
    workspace: slugOf(user),
  })
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString()
  const { made } = await user.ask<{ made: { secret: string } }>(
    `mutation { made: oauthAppSecretCreate(id: "${clientId}", input: { expiresAt: "${inTwoDays}" }) { secret } }`,
  )
  await openHome(page, user)
  const endTask = await startTask(page, 'Rotate a client secret that expires soon', 5)
  await page.getByRole('link', { name: /^Open secrets: .*Barometer/ }).click()
  await page.getByRole('button', { name: 'Add secret' }).click()
  const added = page.getByRole('textbox', { name: 'Client secret' })
  await expect(added).toHaveValue(/^lk_cs_/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect(added).toHaveCount(0)
  await revokeSecret(page, made.secret).click()
  await page.getByRole('button', { name: 'Revoke secret' }).click()
  await expect(revokeSecret(page, made.secret)).toHaveCount(0)
  endTask(5)
})

test('an admin changes a member’s role in three clicks', async ({ page, baseURL }) => {
  const admin = await signUpBusy(page, baseURL, 'Vivian Adair')
  await addMember(page, admin.home, 'Sally Ride', 'Viewer')
  await openHome(page, admin)
  const endTask = await startTask(page, 'Change a member’s role', 3)
  await mainPage(page, 'Members').click()
  await page.getByRole('button', { name: 'Role of Sally Ride: Viewer' }).click()
  await page.getByRole('menuitemradio', { name: 'Member' }).click()
  await expect(page.getByRole('button', { name: 'Role of Sally Ride: Member' })).toBeVisible()
  endTask(3)
})

test('a user creates an API token and stores it in five clicks', async ({ page, baseURL }) => {
  await openHome(page, await signUpBusy(page, baseURL, 'Melba Roy'))
  const endTask = await startTask(page, 'Create an API token', 5)
  await openAccountPage(page, 'Tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('textbox', { name: 'Token name' }).fill('Orbit')
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByRole('textbox', { name: 'Token', exact: true })).toHaveValue(/^lk_/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect(page.getByRole('row', { name: /Orbit/ })).toBeVisible()
  endTask(5)
})

test('a member of 200 workspaces opens another one in two clicks', async ({ browser }) => {
  // The test uses its own instance, because so many workspaces would affect other tests.
  const product = await makeOwnProduct()
  try {
    await product.start()
    const context = await browser.newContext({ baseURL: product.url, viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    const user = await signUp(page, 'Annie Cannon')
    const client = new pg.Client({ connectionString: product.databaseUrl })
    await client.connect()
    await client.query(
      `WITH made AS (
         INSERT INTO workspaces (id, name, slug, updated_at)
         SELECT gen_random_uuid(), 'Team ' || n, 'team-' || n, now() FROM generate_series(1, 199) n RETURNING id)
       INSERT INTO workspace_members (workspace_id, user_id, role) SELECT made.id, users.id, 'MEMBER' FROM made, users`,
    )
    await client.end()
    await openHome(page, user)
    const endTask = await startTask(page, 'Switch to one of 200 workspaces', 2)
    await page.locator('summary').filter({ hasText: 'Workspace' }).click()
    await page.getByRole('searchbox', { name: 'Find a workspace' }).fill('Team 150')
    await page.getByRole('list', { name: 'Found' }).getByRole('link', { name: 'Team 150' }).click()
    await expect(page).toHaveURL('/workspaces/team-150')
    await expect(page.getByRole('heading', { name: 'Team 150', level: 1 })).toBeVisible()
    endTask(2)
    await context.close()
  } finally {
    await product.stop()
  }
})

test('a user revokes an app’s access in four clicks', async ({ page, baseURL, problems }) => {
  // No server listens at the app's redirect URI.
  problems.expect('ERR_CONNECTION_REFUSED')
  const user = await signUpBusy(page, baseURL, 'Gladys West')
  const app = await createApp(page, {
    name: 'Geodesy',
    type: 'Native',
    redirectUris: [redirect],
    workspace: slugOf(user),
  })
  await page.goto(authorizeAddress(app.clientId, 'openid'))
  await backToApp(page, redirect, 'Authorize')
  await openHome(page, user)
  const endTask = await startTask(page, 'Revoke an authorized app', 4)
  await openAccountPage(page, 'Authorized apps')
  await page.getByRole('button', { name: 'Revoke Geodesy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click()
  await expect(page.getByText('Geodesy')).toHaveCount(0)
  endTask(4)
})

test('a new user sent by an agent creates an account and a project and authorizes the agent in four clicks', async ({
  page,
  request,
  problems,
}) => {
  problems.expect('ERR_CONNECTION_REFUSED')
  await page.goto(authorizeAddress(await registerAgent(request, 'Tidy Agent'), 'openid project:member'))
  const endTask = await startTask(page, 'Sign up, create a project, and authorize an agent')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Frances Allen')
  await page
    .getByRole('textbox', { name: 'Email' })
    .fill(`frances.${randomBytes(4).toString('hex')}@example.com`)
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: /Tidy Agent/, level: 1 })).toBeVisible()
  await page.getByRole('textbox', { name: 'Project name' }).fill('First project')
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByRole('checkbox', { name: 'First project' })).toBeChecked()
  expect((await backToApp(page, redirect, 'Authorize')).searchParams.get('code')).toBeTruthy()
  endTask(4)
})

test('an instance admin verifies an app in three clicks', async ({ page, signIn }) => {
  await signIn('ada')
  const name = `Reviewed ${randomBytes(4).toString('hex')}`
  await createApp(page, { name, type: 'Web', redirectUris: ['https://reviewed.example/callback'] })
  await page.goto('/admin')
  const endTask = await startTask(page, 'Verify an app as an instance admin')
  await page.getByRole('navigation', { name: 'Instance' }).getByRole('link', { name: 'Apps' }).click()
  await page.getByRole('searchbox', { name: 'Search apps' }).fill(name)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name }).click()
  await page.getByRole('button', { name: 'Verify app' }).click()
  await expect(page.getByText('Verified', { exact: true }).first()).toBeVisible()
  // The decision follows the facts about the app, which the instance admin has to review first.
  endTask(3, ['Verify app'])
})
