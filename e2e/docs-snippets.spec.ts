import { clientDocumentSnippet } from '@/lib/docs/snippets/client-document'
import * as curl from '@/lib/docs/snippets/curl'
import { deviceFlowSnippet } from '@/lib/docs/snippets/device-flow'
import { nativeAppSnippet } from '@/lib/docs/snippets/native-app'
import { placeholders, type SnippetValues } from '@/lib/docs/snippets/values'
import { webAppSnippet } from '@/lib/docs/snippets/web-app'
import { testPort } from '@/lib/testing/free-port'
import { decide } from './clients/consent'
import { createApp } from './clients/oauth-app'
import { Program } from './clients/program'
import { saveSnippet } from './clients/save-snippet'
import { runCurl } from './support/curl'
import { expect, test } from './support/test'

/** Every snippet of /docs, run as it stands there. */
const native = { type: 'Native' as const, redirectUris: ['http://127.0.0.1/callback'] }

const run = (code: string) => {
  const { file, remove } = saveSnippet('snippet.mjs', code)
  const program = new Program(file)
  return { program, stop: () => program.stop().finally(remove) }
}

test('the web app', async ({ page, signIn, baseURL }) => {
  await signIn('ada')
  const redirectUri = `http://localhost:${await testPort()}/callback`
  const app = await createApp(page, { name: 'Docs web app', type: 'Web', redirectUris: [redirectUri] })
  const values = { ...placeholders, ...app, baseUrl: String(baseURL), redirectUri }
  const { program, stop } = run(webAppSnippet(values))
  await page.goto(await program.prints(/http:\S+/))
  await page.getByRole('link', { name: 'Sign in' }).click()
  await decide(page, { projects: ['Website'] })
  await expect(page.locator('body')).toContainText('Hello, Ada Lovelace')

  const pushed = await runCurl(curl.pushSnippet(values))
  expect(pushed.status).toBe(201)
  await stop()
})

test('the native app', async ({ page, signIn, baseURL }) => {
  await signIn('ada')
  const app = await createApp(page, { name: 'Docs native app', ...native })
  const { program, stop } = run(nativeAppSnippet({ ...placeholders, ...app, baseUrl: String(baseURL) }))
  await page.goto(await program.prints(/Open (\S+)/))
  await decide(page, { projects: ['Website'] })
  expect(await program.ended, program.output).toBe(0)
  expect(program.output).toMatch(/Signed in as [0-9a-f-]{36}/)
  await stop()
})

test('the command-line tool, and each request with its tokens', async ({ page, signIn, baseURL }) => {
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

test('the way of an agent', async ({ baseURL }) => {
  const values = { ...placeholders, baseUrl: String(baseURL) }
  const challenge = await runCurl(curl.challengeSnippet(values))
  const named = /resource_metadata="([^"]+)"/.exec(challenge.headers.get('www-authenticate') ?? '')?.[1]
  expect(curl.resourceMetadataSnippet(values)).toContain(`curl ${named}\n`)
  const resource = await (await runCurl(curl.resourceMetadataSnippet(values))).json()
  const server = await (await runCurl(curl.serverMetadataSnippet(values))).json()
  expect(resource.authorization_servers).toEqual([server.issuer])
  const registered = await runCurl(curl.registerSnippet(values))
  expect(registered.status).toBe(201)
  // A metadata document says the same as a registration.
  const { client_id, client_uri, response_types, ...document } = JSON.parse(clientDocumentSnippet())
  expect(await registered.json()).toMatchObject(document)
  expect(new URL(client_id).protocol).toBe('https:')
  expect(server).toMatchObject({
    response_types_supported: response_types,
    client_id_metadata_document_supported: true,
  })
  expect(client_uri).toBe(new URL(client_id).origin)
})

test('a web app’s refresh with its secret', async ({ page, signIn, baseURL }) => {
  await signIn('ada')
  const app = await createApp(page, {
    name: 'Docs secret',
    type: 'Web',
    redirectUris: [placeholders.redirectUri],
  })
  const values = { ...placeholders, ...app, baseUrl: String(baseURL) }
  // The credentials are right and the token is made up: the answer is about the token.
  const refused = await runCurl(curl.refreshWithSecretSnippet(values))
  expect([refused.status, (await refused.json()).error]).toEqual([400, 'invalid_grant'])
  const wrong = await runCurl(curl.refreshWithSecretSnippet({ ...values, clientSecret: 'wrong' }))
  expect([wrong.status, (await wrong.json()).error]).toEqual([401, 'invalid_client'])
})
