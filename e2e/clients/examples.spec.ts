import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { testPort } from '@/lib/testing/free-port'
import { test as base, expect } from '../support/test'
import { decide } from './consent'
import { createApp } from './oauth-app'
import { Program } from './program'

/** Runs the examples as a new user would. `cli` stores its tokens in the test's own folder. */
const test = base.extend<{ credentials: string; cli: (...args: string[]) => Program }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from this pattern
  credentials: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-cli-'))
    await use(path.join(folder, 'kept', 'credentials.json'))
    rmSync(folder, { recursive: true })
  },
  cli: async ({ baseURL, credentials }, use) => {
    const started: Program[] = []
    await use((...args) => {
      const env = { SERVER_URL: String(baseURL), CREDENTIALS_FILE: credentials }
      const program = new Program('examples/cli/main.mjs', args, env)
      started.push(program)
      return program
    })
    await Promise.all(started.map((program) => program.stop()))
  },
})

test('the example command-line tool signs in with the device flow, refreshes its tokens, and signs out', async ({
  page,
  signIn,
  cli,
  credentials,
}) => {
  const first = cli()
  const address = await first.prints(/or open (\S+)/)
  await signIn('ada')
  await page.goto(address)
  const proceed = page.getByRole('button', { name: 'Continue' })
  const authorize = page.getByRole('button', { name: 'Authorize', exact: true })
  await expect(proceed.or(authorize).first()).toBeVisible()
  if (await proceed.isVisible()) await proceed.click()
  await decide(page, { projects: ['Website', 'Compiler'] })
  expect(await first.ended, first.output).toBe(0)
  expect(first.output).toContain('Signed in as ada@example.com.')
  expect(first.output).toContain('Website')
  expect(first.output).toContain('Compiler')
  expect(first.output).not.toContain('Orbit')

  expect(statSync(credentials).mode & 0o777).toBe(0o600)
  const kept = JSON.parse(readFileSync(credentials, 'utf8'))

  // The tool renews an access token that is about to expire and saves the new refresh token.
  writeFileSync(credentials, JSON.stringify({ ...kept, expires_at: Date.now() }), { mode: 0o600 })
  const second = cli('whoami')
  expect(await second.ended, second.output).toBe(0)
  expect(second.output).toContain('ada@example.com')
  const renewed = JSON.parse(readFileSync(credentials, 'utf8'))
  expect(renewed.access_token).not.toBe(kept.access_token)
  expect(renewed.refresh_token).not.toBe(kept.refresh_token)

  const last = cli('logout')
  expect(await last.ended, last.output).toBe(0)
  expect(() => statSync(credentials)).toThrow()
})

test('the example command-line tool signs in through the local browser', async ({ page, signIn, cli }) => {
  const login = cli('login', '--browser')
  const address = await login.prints(/Open (\S+)/)
  expect(new URL(address).searchParams.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  await signIn('edsger')
  await page.goto(address)
  await decide(page, { projects: ['Compiler'] })
  expect(await login.ended, login.output).toBe(0)
  expect(login.output).toContain('Signed in as edsger@example.com.')
  const list = cli('projects')
  expect(await list.ended, list.output).toBe(0)
  expect(list.output.trim()).toContain('Compiler')
})

for (const decision of ['Approve', 'Deny'] as const) {
  test(`the example agent connects with a single URL, requests another scope, and waits for approval: ${decision}`, async ({
    page,
    signIn,
    baseURL,
  }) => {
    const agent = new Program('examples/agent/main.mjs', [`${baseURL}/mcp`])
    const opens = (nth: number) => agent.prints(new RegExp(`(?:Open [^]*?){${nth - 1}}Open (\\S+)`))
    await signIn('ada')
    await page.goto(await opens(1))
    await decide(page, { workspaces: ['Acme'] })
    await page.goto(await opens(2))
    await decide(page)
    const name = await agent.prints(/Created the project (.+) in Acme/)
    await page.goto(await opens(3))
    await decide(page, { projects: [name] })
    await page.goto(await opens(4))
    await page.getByRole('button', { name: decision }).click()
    expect(await agent.ended, agent.output).toBe(0)
    expect(agent.output).toContain('Shared workspaces: Acme')
    expect(agent.output).toContain(
      decision === 'Deny' ? `denied the request, so ${name} remains` : `Deleted ${name}`,
    )
  })
}

test('the program in README.md signs a user in and reports a denial', async ({ page, signIn, baseURL }) => {
  const port = await testPort()
  await signIn('ada')
  const { clientId, clientSecret } = await createApp(page, {
    name: 'Program of the README',
    type: 'Web',
    redirectUris: [`http://localhost:${port}/callback`],
  })
  const app = new Program('examples/sign-in/main.mjs', [], {
    ISSUER: `${baseURL}/oauth`,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    PORT: String(port),
  })
  const home = await app.prints(/http:\S+/)
  await page.goto(home)
  await page.getByRole('link', { name: 'Sign in with Latchkey' }).click()
  await decide(page, { deny: true })
  await expect(page.locator('body')).toHaveText('access_denied')
  await page.goto(home)
  await page.getByRole('link', { name: 'Sign in with Latchkey' }).click()
  await decide(page)
  await expect(page.locator('body')).toHaveText('Hello, Ada Lovelace')

  // The app creates no session for a callback in a browser that did not start the sign-in.
  await page.context().clearCookies({ name: 'verifier' })
  await page.goto(`${home}/callback?code=stolen`)
  await expect(page.getByRole('link', { name: 'Sign in with Latchkey' })).toBeVisible()
  await app.stop()
})

test('the example web app signs a user in and lists the selected projects', async ({
  page,
  signIn,
  baseURL,
}) => {
  const port = await testPort()
  await signIn('ada')
  const { clientId, clientSecret } = await createApp(page, {
    name: 'Example web app',
    type: 'Web',
    redirectUris: [`http://localhost:${port}/callback`],
  })
  const app = new Program('examples/web-app/main.mjs', [], {
    ISSUER: `${baseURL}/oauth`,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    EXAMPLE_PORT: String(port),
  })
  await page.goto(await app.prints(/http:\S+/))
  await page.getByRole('link', { name: 'Sign in' }).click()
  await decide(page, { projects: ['Website'] })
  await expect(page.getByRole('heading', { name: 'Hello, Ada Lovelace' })).toBeVisible()
  await expect(page.getByRole('listitem')).toHaveText(['Website'])
  await app.stop()
})
