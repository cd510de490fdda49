import { decodeJwt } from 'jose'
import { clientDocumentSnippet } from '@/lib/features/docs/snippets/agents'
import * as curl from '@/lib/features/docs/snippets/curl'
import * as byHand from '@/lib/features/docs/snippets/curl'
import { verifyIdTokenSnippet } from '@/lib/features/docs/snippets/curl'
import { deviceFlowSnippet, nativeAppSnippet } from '@/lib/features/docs/snippets/native-app'
import { loopbackRedirectUri, placeholders, type SnippetValues } from '@/lib/features/docs/snippets/values'
import { webAppSnippet } from '@/lib/features/docs/snippets/web-app'
import { testPort } from '@/lib/testing/free-port'
import { decide } from './clients/consent'
import { createApp } from './clients/oauth-app'
import { Program } from './clients/program'
import { saveSnippet } from './clients/save-snippet'
import { runCurl } from './support/curl'
import { expect, test } from './support/test'

/**
 * Runs every JavaScript snippet of /docs unmodified. Pages about other programming languages state when their
 * programs were last run manually.
 */
const native = { type: 'Native' as const, redirectUris: [loopbackRedirectUri] }

const run = (code: string, env: Record<string, string> = {}) => {
  const { file, remove } = saveSnippet('snippet.mjs', code)
  const program = new Program(file, [], env)
  return { program, stop: () => program.stop().finally(remove) }
}

/**
 * The second app's redirect URI has characters that JavaScript, shells, and libraries interpret differently.
 */
const webApps = [
  { kind: 'web app', path: '/callback', pushed: false },
  {
    kind: 'web app with pushed requests and an odd redirect URI',
    path: "/login?a='$(b)&c=%22!*;%60",
    pushed: true,
  },
]

/** Performs the manual steps before the browser step, and returns the URL that the reader opens next. */
async function addressByHand(values: SnippetValues, env: Record<string, string>): Promise<string> {
  if (!values.pushed) return byHand.authorizationAddress(values).trim()
  const answer = await (await runCurl(byHand.pushRequestSnippet(values), env)).json()
  return byHand.pushedAddress(values).trim().replace('REQUEST_URI', answer.request_uri)
}

for (const { kind, path, pushed } of webApps) {
  test(`the snippets for a ${kind} sign a user in`, async ({ page, signIn, baseURL }) => {
    await signIn('ada')
    const redirectUri = `http://localhost:${await testPort()}${path}`
    const app = await createApp(page, { name: `Docs ${kind}`, type: 'Web', redirectUris: [redirectUri] })
    if (pushed) {
      await page.getByRole('button', { name: 'I have stored it' }).click()
      const tabs = page.getByRole('navigation', { name: 'App' })
      await tabs.getByRole('link', { name: 'Settings' }).click()
      await page.getByText('Advanced', { exact: true }).click()
      await page.getByRole('checkbox', { name: 'Require pushed authorization requests' }).check()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await expect(page.getByText('App saved')).toBeVisible()
      await tabs.getByRole('link', { name: 'Overview' }).click()
      // The page updates its snippets to match the saved app.
      await expect(page.getByText('buildAuthorizationUrlWithPAR')).toBeVisible()
    }
    const values = { ...placeholders, ...app, baseUrl: String(baseURL), redirectUri, pushed }
    const env = { CLIENT_SECRET: app.clientSecret }
    const { program, stop } = run(webAppSnippet(values), env)
    await page.goto(await program.prints(/http:\S+/))
    await page.getByRole('link', { name: 'Sign in' }).click()
    await decide(page, { projects: ['Website'] })
    await expect(page.locator('body')).toContainText('Hello, Ada Lovelace')

    expect((await runCurl(curl.pushSnippet(values), env)).status).toBe(201)
    // Without its cookie, the program does not redeem the code.
    await page.context().clearCookies({ name: 'signin' })
    const comesBack = page.waitForRequest((asked) => new URL(asked.url()).searchParams.has('code'))
    await page.goto(await addressByHand(values, env))
    const code = String(new URL((await comesBack).url()).searchParams.get('code'))
    const tokens = await runCurl(byHand.exchangeCodeSnippet(values), { ...env, CODE: code })
    const { access_token, id_token } = await tokens.json()
    const verified = run(verifyIdTokenSnippet(values), { ID_TOKEN: id_token })
    expect(await verified.program.prints(/The account is (.+)/)).toBe(decodeJwt(id_token).sub)
    await verified.stop()
    const ofAnother = run(verifyIdTokenSnippet(values), { ID_TOKEN: id_token, NONCE: 'of another sign-in' })
    expect(await ofAnother.program.ended).toBe(1)
    await ofAnother.stop()
    const who = await runCurl(byHand.whoSignedInSnippet(values), { ACCESS_TOKEN: access_token })
    expect(await who.json()).toMatchObject({ email: 'ada@example.com' })
    await stop()
  })
}

test('the manual steps in the docs complete the device flow', async ({ page, signIn, baseURL }) => {
  await signIn('ada')
  const app = await createApp(page, { name: 'Docs device', ...native })
  const values = { ...placeholders, ...app, baseUrl: String(baseURL) }
  const device = await (await runCurl(byHand.deviceCodeSnippet(values))).json()
  await page.goto(device.verification_uri_complete)
  await page.getByRole('button', { name: 'Continue' }).click()
  await decide(page)
  await expect(page.getByRole('button', { name: 'Authorize', exact: true })).toHaveCount(0)
  const tokens = await runCurl(byHand.pollDeviceSnippet(values), { DEVICE_CODE: device.device_code })
  expect(await tokens.json()).toMatchObject({ token_type: 'Bearer', scope: 'openid email' })
})

test('the native app snippet signs a user in', async ({ page, signIn, baseURL }) => {
  await signIn('ada')
  const app = await createApp(page, { name: 'Docs native app', ...native })
  const values = { ...placeholders, ...app, baseUrl: String(baseURL), redirectUri: loopbackRedirectUri }
  const { program, stop } = run(nativeAppSnippet(values))
  await page.goto(await program.prints(/Open (\S+)/))
  await decide(page, { projects: ['Website'] })
  expect(await program.ended, program.output).toBe(0)
  expect(program.output).toMatch(/Signed in as [0-9a-f-]{36}/)
  await stop()
})

test('the command-line tool snippets sign a user in and use the tokens', async ({
  page,
  signIn,
  baseURL,
}) => {
  await signIn('ada')
  const app = await createApp(page, { name: 'Docs tool', ...native })
  const values: SnippetValues = { ...placeholders, ...app, baseUrl: String(baseURL) }
  const printTokens = '\nconsole.log("tokens", JSON.stringify(tokens))\n'
  const { program, stop } = run(deviceFlowSnippet(values) + printTokens)
  await page.goto(await program.prints(/or open (\S+)/))
  await page.getByRole('button', { name: 'Continue' }).click()
  await decide(page, { projects: ['Website'] })
  expect(await program.ended, program.output).toBe(0)
  expect(program.output).toContain('Signed in as ada@example.com')
  const tokens = JSON.parse(await program.prints(/tokens (.+)/))
  await stop()

  values.accessToken = tokens.access_token
  values.refreshToken = tokens.refresh_token
  const answer = async (snippet: (values: SnippetValues) => string) => (await runCurl(snippet(values))).json()
  expect(await answer(curl.graphqlSnippet)).toMatchObject({ data: { me: { email: 'ada@example.com' } } })
  expect(await answer(curl.projectsSnippet)).toMatchObject({
    data: { projects: { edges: [{ node: { name: 'Website' } }] } },
  })
  expect(await answer(curl.userInfoSnippet)).toMatchObject({ email: 'ada@example.com' })
  expect(await answer(curl.introspectSnippet)).toMatchObject({ active: true })
  const renewed = await answer(curl.refreshSnippet)
  expect(renewed).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
  values.refreshToken = renewed.refresh_token
  expect((await runCurl(curl.revokeSnippet(values))).status).toBe(200)
  expect(await answer(curl.introspectSnippet)).toEqual({ active: false })
})

test('the agent steps in the docs find the server’s metadata and register a client', async ({ baseURL }) => {
  const values = { ...placeholders, baseUrl: String(baseURL) }
  const challenge = await runCurl(curl.challengeSnippet(values))
  const named = /resource_metadata="([^"]+)"/.exec(challenge.headers.get('www-authenticate') ?? '')?.[1]
  expect(curl.resourceMetadataSnippet(values)).toContain(`curl ${named}\n`)
  const resource = await (await runCurl(curl.resourceMetadataSnippet(values))).json()
  const server = await (await runCurl(curl.serverMetadataSnippet(values))).json()
  expect(resource.authorization_servers).toEqual([server.issuer])
  const registered = await runCurl(curl.registerSnippet(values))
  expect(registered.status).toBe(201)
  // The metadata document in the docs has the same content as the registration.
  const { client_id, client_uri, response_types, ...document } = JSON.parse(clientDocumentSnippet())
  expect(await registered.json()).toMatchObject(document)
  expect(new URL(client_id).protocol).toBe('https:')
  expect(server).toMatchObject({
    response_types_supported: response_types,
    client_id_metadata_document_supported: true,
  })
  expect(client_uri).toBe(new URL(client_id).origin)
})

test('the refresh snippet for a web app authenticates with the client secret', async ({
  page,
  signIn,
  baseURL,
}) => {
  await signIn('ada')
  const app = await createApp(page, {
    name: 'Docs secret',
    type: 'Web',
    redirectUris: [placeholders.redirectUri],
  })
  const values = { ...placeholders, ...app, baseUrl: String(baseURL) }
  // The credentials are valid and the token is not, so the error must be about the token.
  const refused = await runCurl(curl.refreshWithSecretSnippet(values))
  expect([refused.status, (await refused.json()).error]).toEqual([400, 'invalid_grant'])
  const wrong = await runCurl(curl.refreshWithSecretSnippet({ ...values, clientSecret: 'wrong' }))
  expect([wrong.status, (await wrong.json()).error]).toEqual([401, 'invalid_client'])
})
