import { startCallback } from './clients/callback'
import { decide } from './clients/consent'
import { expect, test } from './support/test'

/** Tests unexpected user actions on the consent page, such as going back and double-clicking. */

/** Registers a client, and returns the URL of its authorization request. */
async function newRequest(baseURL: string | undefined, redirectUri: string): Promise<string> {
  const registered = await fetch(new URL('/oauth/register', baseURL), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const url = new URL('/oauth/auth', baseURL)
  url.search = new URLSearchParams({
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 'kept',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }).toString()
  return url.href
}

test('going back to the consent page after authorizing an app shows that the request has expired', async ({
  page,
  signIn,
  baseURL,
}) => {
  const callback = await startCallback()
  await signIn('grace')
  await page.goto(await newRequest(baseURL, callback.uri))
  await decide(page)
  expect((await callback.answer).searchParams.get('code')).toBeTruthy()
  // The app receives the code before the browser shows the app's page.
  await page.waitForURL((url) => url.href.startsWith(callback.uri))

  await page.goBack()
  await expect(page.getByRole('heading', { name: 'This request has expired' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Authorize' })).toHaveCount(0)
  await callback.close()
})

test('a double click on Authorize sends the user to the app with a code', async ({
  page,
  signIn,
  baseURL,
}) => {
  const callback = await startCallback()
  await signIn('grace')
  await page.goto(await newRequest(baseURL, callback.uri))
  await page.getByRole('button', { name: 'Authorize', exact: true }).dblclick()
  const answer = await callback.answer
  expect(answer.searchParams.get('code')).toBeTruthy()
  expect(answer.searchParams.get('state')).toBe('kept')
  await callback.close()
})

test('two tabs can request consent at the same time, each for its own app', async ({
  page,
  context,
  signIn,
  baseURL,
}) => {
  const [first, second] = [await startCallback(), await startCallback()]
  await signIn('grace')
  const other = await context.newPage()
  await page.goto(await newRequest(baseURL, first.uri))
  await other.goto(await newRequest(baseURL, second.uri))
  await decide(page)
  expect((await first.answer).searchParams.get('code')).toBeTruthy()
  await decide(other, { deny: true })
  expect((await second.answer).searchParams.get('error')).toBe('access_denied')
  await Promise.all([first.close(), second.close()])
})

test('submitting the consent page without its cookie shows that the request has expired', async ({
  page,
  context,
  signIn,
  baseURL,
}) => {
  const callback = await startCallback()
  await signIn('grace')
  await page.goto(await newRequest(baseURL, callback.uri))
  await context.clearCookies({ name: /interaction/ })
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'This request has expired' })).toBeVisible()
  await callback.close()
})
