import { code, setUpApp } from './support/authenticator-app'
import { askFactors, makeToken } from './support/factors-by-token'
import { signUp } from './support/sign-up'
import { expect, signInByForm, test } from './support/test'

const newCodes = 'recoveryCodesRotate { recoveryCodes }'

test('a token replaces recovery codes only once per approval by its user', async ({
  page,
  baseURL,
  screenshots,
}) => {
  const { email, password } = await signUp(page, 'Ruth Careful')
  const { secret } = await setUpApp(page, password)
  const token = await makeToken(page, 'Set-up script')
  const asked = await askFactors(baseURL, token, newCodes)
  expect(asked).toMatchObject({ code: 'APPROVAL_REQUIRED', data: { recoveryCodesRotate: null } })

  // The approval happens in a new browser, where the user must first sign in with two factors.
  await page.context().clearCookies()
  await signInByForm(page, email, password)
  await page.getByLabel('Code').fill(code(secret, 1))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  await page.goto('/account/notifications')
  await expect(page.getByText('An API token requests your approval').first()).toBeVisible()
  await page.getByRole('link', { name: 'View' }).first().click()
  await expect(page).toHaveURL(asked.approvalUrl)
  await expect(page.getByText('Create new recovery codes')).toBeVisible()
  await expect(page.getByText('Set-up script')).toBeVisible()
  await screenshots('ask-of-token')
  await page.getByLabel('Password').fill('guessed')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(page.getByText('This password is incorrect.')).toBeVisible()
  expect((await askFactors(baseURL, token, newCodes)).code).toBe('APPROVAL_REQUIRED')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(page.getByText('You approved this change once.')).toBeVisible()

  const { data } = await askFactors(baseURL, token, newCodes)
  expect(data.recoveryCodesRotate.recoveryCodes).toHaveLength(10)
  const again = await askFactors(baseURL, token, newCodes)
  expect(again.code).toBe('APPROVAL_REQUIRED')
  expect(again.approvalUrl).not.toBe(asked.approvalUrl)

  await page.goto(again.approvalUrl)
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByText('You denied this request. Nothing was changed.')).toBeVisible()
  await expect(page.getByText('Nothing has been changed yet.')).toBeHidden()
  expect((await askFactors(baseURL, token, 'authenticatorAppDelete')).code).toBe('FORBIDDEN')
})

test('a token sets up an authenticator app after its user approves on a page without JavaScript', async ({
  page,
  browser,
  baseURL,
}) => {
  const { password } = await signUp(page, 'Otto Plain')
  const token = await makeToken(page, 'Phone set-up')
  const begin = 'authenticatorAppCreate { secret }'
  const { approvalUrl } = await askFactors(baseURL, token, begin)
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const withoutScript = await plain.newPage()
  await withoutScript.goto(approvalUrl)
  await withoutScript.getByLabel('Password').fill(password)
  await withoutScript.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(withoutScript.getByText('You approved this change once.')).toBeVisible()
  await plain.close()

  const { data } = await askFactors(baseURL, token, begin)
  const first = code(data.authenticatorAppCreate.secret)
  const finish = `authenticatorAppVerify(input: { code: "${first}" }) { twoFactorMethods { authenticatorApp } }`
  expect((await askFactors(baseURL, token, finish)).data).toMatchObject({
    authenticatorAppVerify: { twoFactorMethods: { authenticatorApp: true } },
  })
  await page.goto('/account/security')
  await expect(page.getByRole('region', { name: 'Authenticator app' })).toContainText('On')
  await expect(page.getByText('10 of 10 left')).toBeVisible()

  await page.context().clearCookies()
  await signUp(page, 'Another User')
  expect((await page.goto(approvalUrl))?.status()).toBe(404)
})
