import * as oidc from 'openid-client'
import { startCallback } from './clients/callback'
import { decide } from './clients/consent'
import { createApp } from './clients/oauth-app'
import { query } from './clients/query'
import { findBarriers } from './support/accessibility'
import { startDevice } from './support/device'
import { makeToken } from './support/factors-by-token'
import { addMember, invite, join, signUp, signUpConfirmed } from './support/sign-up'
import { expect, test } from './support/test'

/** Options for openid-client that allow HTTP, because the test server has no TLS. */
const overHttp = { execute: [oidc.allowInsecureRequests] }

test('an app is requested, approved with limits, used, and blocked when the app policy is tightened', async ({
  page,
  context,
  browser,
  baseURL,
  screenshots,
}) => {
  const member = await signUp(page, 'Mia Member')
  const asMember = await context.cookies()
  await context.clearCookies()
  const admin = await signUp(page, 'Anna Admin')
  const asAdmin = await context.cookies()
  const apps = `${admin.home}/settings/apps`
  const link = await invite(page, admin.home, member.email, 'Member')
  await page.goto(apps)
  await page.getByRole('radio', { name: /^Approved apps only/ }).check()
  await page.getByRole('button', { name: 'Review change' }).click()
  await expect(page.getByText('No app loses access.')).toBeVisible()
  await page.getByRole('button', { name: 'Change policy' }).click()
  await expect(page).toHaveURL(new RegExp(`${apps}$`))

  // A member requests approval of the app, in a browser and for a device.
  await context.addCookies(asMember)
  await join(page, link)
  const callback = await startCallback()
  const config = await oidc.dynamicClientRegistration(
    new URL('/oauth', baseURL),
    { client_name: 'Planner', redirect_uris: [callback.uri], token_endpoint_auth_method: 'none' },
    oidc.None(),
    overHttp,
  )
  const verifier = oidc.randomPKCECodeVerifier()
  const target = oidc.buildAuthorizationUrl(config, {
    redirect_uri: callback.uri,
    scope: 'openid workspace:member',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  await page.goto(target.href)
  // Pressing Enter submits the form with the Authorize button, even without JavaScript.
  const plain = await (await browser.newContext({ baseURL, javaScriptEnabled: false })).newPage()
  await plain.context().addCookies(asMember)
  await plain.goto(target.href)
  await plain.getByRole('checkbox', { name: /Mia Member/ }).press('Enter')
  await expect(plain.getByText('Nothing is selected')).toBeVisible()
  await expect(plain.getByText('Request sent')).toHaveCount(0)
  await plain.context().close()
  await page.getByRole('textbox', { name: 'Reason' }).fill('For the release on Friday')
  await screenshots('consent-needs-approval')
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: /^Request approval: Anna Admin/ }).click()
  await expect(page.getByText('Request sent. You’ll be notified of the decision.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Request approval/ })).toHaveCount(0)
  await expect(page.getByText('Requested', { exact: true })).toBeVisible()
  const device = await startDevice(baseURL, 'openid workspace:viewer')
  await page.goto(device.verification_uri_complete)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('For the wall')
  await page.getByRole('button', { name: 'Request approval' }).click()
  await expect(page.getByText('Request sent. You’ll be notified of the decision.')).toBeVisible()

  // The admin approves less access than requested, with an expiration date.
  await context.addCookies(asAdmin)
  await page.goto(apps)
  const requests = page.getByRole('list', { name: 'Requests' }).getByRole('listitem')
  await expect(requests.filter({ hasText: 'Television' })).toContainText('For the wall')
  await expect(requests.filter({ hasText: 'Planner' })).toContainText('For the release on Friday')
  await screenshots('app-requests')
  await page.getByRole('link', { name: 'Review Planner' }).click()
  const request = page.getByRole('region', { name: 'Approval request' })
  await expect(request).toContainText('Mia Member')
  await expect(request).toContainText('For the release on Friday')
  await expect(request).toContainText('Read and write the workspace and its projects')
  await screenshots('app-request')
  await request.getByText('Change what it can do').click()
  await page.getByRole('checkbox', { name: 'workspace:member' }).uncheck()
  await page.getByRole('checkbox', { name: 'workspace:viewer' }).check()
  await page.getByLabel('Expires on').fill('2999-12-31')
  await request.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('App approved')).toBeVisible()
  await screenshots('approved-app')

  // The member authorizes the app, which receives only the approved access.
  await context.addCookies(asMember)
  await page.goto(target.href)
  await decide(page, { workspaces: ['Anna Admin'] })
  const tokens = await oidc.authorizationCodeGrant(config, await callback.answer, {
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  await callback.close()
  type Mine = { me: { workspaces: { id: string; name: string }[] } }
  const mine = async () =>
    (await query<Mine>(baseURL, tokens.access_token, '{ me { workspaces { id name } } }')).me.workspaces
  const [shared] = await mine()
  expect(shared?.name).toContain('Anna Admin')
  const write = `mutation { projectCreate(input: { workspaceId: "${shared?.id}", name: "Plan" }) { id } }`
  await expect(query(baseURL, tokens.access_token, write)).rejects.toThrow(
    'approved this app with less access',
  )

  // The admin reviews which users lose access to which apps, then tightens the policy.
  await context.addCookies(asAdmin)
  await page.goto(apps)
  await page.getByRole('radio', { name: /^Only this workspace’s apps/ }).check()
  await page.getByRole('button', { name: 'Review change' }).click()
  const losses = page.getByRole('list', { name: 'Apps that lose access' })
  await expect(losses.getByRole('listitem')).toHaveText(/Planner.*Mia Member/)
  await expect(page.getByRole('heading', { name: '1 app used by 1 user loses access' })).toBeVisible()
  await screenshots('policy-review')
  expect(await mine()).toHaveLength(1)
  await page.getByRole('button', { name: 'Block 1 app' }).click()
  await expect(page).toHaveURL(new RegExp(`${apps}$`))
  expect(await mine()).toEqual([])
})

test('one search and a status filter above the inbox find requests and installed apps, also without JavaScript', async ({
  page,
  context,
  browser,
  baseURL,
  screenshots,
}) => {
  const admin = await signUp(page, 'Iris Inbox')
  const token = await makeToken(page, 'Setup')
  const ask = <T>(text: string) => query<T>(baseURL, token, text)
  const { me } = await ask<{ me: { workspaces: { id: string }[] } }>('{ me { workspaces { id } } }')
  const workspaceId = String(me.workspaces[0]?.id)
  const numbers = [1, 2, 3, 4, 5, 6]
  const create = numbers.map(
    (
      at,
    ) => `a${at}: oauthAppCreate(input: { workspaceId: "${workspaceId}", name: "Engine ${at}", type: NATIVE,
      redirectUris: ["http://127.0.0.1/callback"] }) { oauthApp { id } }`,
  )
  const made = await ask<Record<string, { oauthApp: { id: string } }>>(`mutation { ${create.join(' ')} }`)
  const decide = numbers.map((at) => {
    const app = `workspaceId: "${workspaceId}", clientId: "${made[`a${at}`]?.oauthApp.id}"`
    return at < 5
      ? `d${at}: workspaceAppBlock(${app}) { __typename }`
      : `d${at}: workspaceAppApprove(input: { ${app}, scopes: ["workspace:viewer"] }) { __typename }`
  })
  await ask(`mutation { ${decide.join(' ')} }`)
  await ask(`mutation { workspaceAppPolicyUpdate(workspaceId: "${workspaceId}", policy: APPROVED) { id } }`)
  const asMember = await addMember(page, admin.home, 'Max Member', 'Member')
  const asAdmin = await context.cookies()
  await context.clearCookies()
  await context.addCookies(asMember)
  const device = await startDevice(baseURL, 'openid workspace:viewer')
  await page.goto(device.verification_uri_complete)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Request approval' }).click()
  await expect(page.getByText('Request sent. You’ll be notified of the decision.')).toBeVisible()
  await context.clearCookies()
  await context.addCookies(asAdmin)

  const apps = `${admin.home}/settings/apps`
  await page.goto(apps)
  const search = page.getByRole('searchbox', { name: 'Search apps and requests' })
  await expect(page.getByRole('searchbox')).toHaveCount(1)
  const requests = page.getByRole('list', { name: 'Requests' }).getByRole('listitem')
  const rows = page.getByRole('table', { name: 'Installed apps' }).getByRole('row')
  await expect(requests).toHaveCount(1)
  await expect(rows).toHaveCount(7)
  await expect(page.getByText('6 apps', { exact: true })).toBeVisible()
  await search.fill('max')
  await expect(page).toHaveURL(`${apps}?search=max`)
  await expect(requests).toHaveText(/Television.*Max Member/)
  await expect(rows).toHaveCount(0)
  await search.fill('engine')
  await expect(rows).toHaveCount(7)
  await expect(requests).toHaveCount(0)
  const status = (from: typeof page) => from.locator('summary').filter({ hasText: 'Status' })
  await status(page).click()
  await page.getByRole('link', { name: 'Blocked', exact: true }).click()
  await expect(page).toHaveURL(`${apps}?search=engine&state=blocked`)
  await expect(rows).toHaveCount(5)
  await expect(rows.nth(1)).toHaveText(/Engine 1.*Blocked/)
  expect(await findBarriers(page)).toEqual([])
  await screenshots('apps-filtered')
  await search.fill('engine 6')
  await expect(page.getByText('No app or request matches “engine 6”')).toBeVisible()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect(requests).toHaveCount(1)
  await page.getByRole('link', { name: 'Approved apps only' }).click()
  await expect(page.getByRole('region', { name: 'Policy' })).toBeInViewport()

  const plain = await (await browser.newContext({ baseURL, javaScriptEnabled: false })).newPage()
  await plain.context().addCookies(asAdmin)
  await plain.goto(`${apps}?search=engine`)
  await status(plain).click()
  await plain.getByRole('link', { name: 'Allowed', exact: true }).click()
  await expect(plain).toHaveURL(`${apps}?search=engine&state=allowed`)
  await expect(plain.getByRole('table', { name: 'Installed apps' }).getByRole('row')).toHaveCount(3)
  await plain.getByRole('searchbox').fill('engine 5')
  await plain.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(plain).toHaveURL(`${apps}?state=allowed&search=engine+5`)
  await expect(plain.getByRole('table', { name: 'Installed apps' }).getByRole('row')).toHaveCount(2)
  await plain.goto(`${apps}?state=requested`)
  await expect(plain.getByRole('link', { name: 'Review Television' })).toBeVisible()
  await expect(plain.getByRole('table', { name: 'Installed apps' })).toHaveCount(0)
  await plain.context().close()
})

test('an app is installed, acts without a user, and loses access when it is uninstalled', async ({
  page,
  context,
  baseURL,
  screenshots,
}) => {
  const vendor = await signUpConfirmed(page, 'Vera Vendor')
  const app = await createApp(page, {
    name: 'Night Watch',
    type: 'Web',
    redirectUris: ['https://watch.example.test/callback'],
    workspace: vendor.home.split('/').at(-1),
  })
  await page.goto(`${vendor.home}/settings/developer/${app.clientId}`)
  await page
    .getByRole('group', { name: 'Installation scopes' })
    .getByRole('checkbox', { name: 'workspace:member' })
    .check()
  await page.getByRole('button', { name: 'Update installation' }).click()
  const link = await page.getByRole('textbox', { name: 'Installation link' }).inputValue()
  await screenshots('installable-app')

  await context.clearCookies()
  const customer = await signUp(page, 'Carl Customer')
  await page.goto(link)
  await page.getByRole('list', { name: 'Workspaces' }).getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'Install Night Watch' })).toBeVisible()
  await screenshots('install-app')
  await page.getByRole('button', { name: 'Install Night Watch' }).click()
  await expect(page.getByRole('button', { name: 'Uninstall', exact: true })).toBeVisible()
  await screenshots('installed-app')

  // The app authenticates as itself, without a user, through openid-client.
  const issuer = new URL('/oauth', baseURL)
  const config = await oidc.discovery(issuer, app.clientId, app.clientSecret, undefined, overHttp)
  type Own = { appInstallations: { nodes: { resource: string; workspaceId: string }[] } }
  const own = await oidc.clientCredentialsGrant(config)
  const { appInstallations } = await query<Own>(
    baseURL,
    own.access_token,
    '{ appInstallations { nodes { resource workspaceId } } }',
  )
  const [{ resource, workspaceId }] = appInstallations.nodes as [{ resource: string; workspaceId: string }]
  expect(appInstallations.nodes).toHaveLength(1)
  const token = await oidc.clientCredentialsGrant(config, { resource })
  expect(token).toMatchObject({ expires_in: 3600, scope: 'workspace:member' })
  expect(token.refresh_token).toBeUndefined()
  const report = `mutation { projectCreate(input: { workspaceId: "${workspaceId}", name: "Report" }) { name } }`
  expect(await query(baseURL, token.access_token, report)).toEqual({ projectCreate: { name: 'Report' } })
  expect(await oidc.tokenIntrospection(config, token.access_token)).toMatchObject({ active: true })

  await page.goto(`${customer.home}/settings/audit-log`)
  await expect(page.getByRole('list', { name: 'Audit log' })).toContainText(
    'Night Watch created the project Report',
  )
  await page.goto(`${customer.home}/settings/apps`)
  await expect(page.getByRole('row', { name: /Night Watch/ })).toContainText('Installed')
  await screenshots('installed-apps')
  await expect(page.getByRole('row', { name: /Night Watch/ })).toContainText(/\d requests? in 30 days/)
  await page.getByRole('link', { name: 'Night Watch' }).click()
  await page.getByRole('button', { name: 'Suspend', exact: true }).click()
  await expect(page.getByText(/Its tokens for this workspace have been rejected/)).toBeVisible()
  await screenshots('suspended-app')
  await expect(query(baseURL, token.access_token, '{ currentToken { kind } }')).rejects.toThrow()
  await expect(oidc.clientCredentialsGrant(config, { resource })).rejects.toMatchObject({
    error: 'invalid_target',
  })
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Suspend', exact: true })).toBeVisible()
  await query(baseURL, token.access_token, '{ currentToken { kind } }')
  await page.getByRole('button', { name: 'Uninstall', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Uninstall', exact: true }).click()
  await expect(page.getByText('Uninstalled')).toBeVisible()
  await expect(query(baseURL, token.access_token, '{ currentToken { kind } }')).rejects.toThrow()
  await expect(oidc.clientCredentialsGrant(config, { resource })).rejects.toMatchObject({
    error: 'invalid_target',
  })
})
