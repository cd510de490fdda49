import { languages } from '@/lib/base/language/languages'
import { testPort } from '@/lib/testing/free-port'
import { environment } from './support/environment'
import { makeOwnDatabase } from './support/own-database'
import { startReplica } from './support/replicas'
import { startProduct } from './support/servers'
import { expect, test } from './support/test'

type Running = { url: string; stop: () => Promise<unknown> }
type Settings = Record<string, string>

/** Ways to start the product on 127.0.0.1, where it shares no cookies with the provider on localhost. */
const mounts: [name: string, start: (port: number, settings: Settings) => Promise<Running>][] = [
  [
    'the custom server',
    async (port, settings) => {
      const url = `http://127.0.0.1:${port}`
      const server = await startReplica(port, url, await makeOwnDatabase(), settings)
      const stop = async () => {
        const ended = new Promise((resolve) => server.once('exit', resolve))
        server.kill('SIGTERM')
        await ended
      }
      return { url, stop }
    },
  ],
  [
    'Next.js alone',
    async (port, settings) => {
      const url = `http://127.0.0.1:${port}`
      const own = { PORT: String(port), BASE_URL: url }
      const product = await startProduct(['--next'], environment().demoPassword, { ...own, ...settings })
      await product.ready
      return { url, stop: product.stop }
    },
  ],
]

for (const [mount, start] of mounts) {
  test(`with ${mount}, the sign-in page has a CSRF token in every language, and a provider button works without JavaScript`, async ({
    browser,
    baseURL,
    request,
  }) => {
    const port = await testPort()
    const registered = await request.post(`${baseURL}/oauth/register`, {
      data: {
        client_name: 'Another instance',
        redirect_uris: [`http://127.0.0.1:${port}/api/auth/callback/oidc`],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    })
    expect(registered.status()).toBe(201)
    const client = (await registered.json()) as { client_id: string; client_secret: string }
    const product = await start(port, {
      OIDC_ISSUER: `${baseURL}/oauth`,
      OIDC_CLIENT_ID: client.client_id,
      OIDC_CLIENT_SECRET: client.client_secret,
      LATCHKEY_SETTINGS: JSON.stringify({ oidcName: 'the other instance' }),
    })
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: product.url })
    try {
      for (const language of Object.keys(languages)) {
        // Each request is sent without the cookie of the previous page.
        const answer = await fetch(`${product.url}/login`, { headers: { 'accept-language': language } })
        expect(await answer.text(), language).toMatch(/name="csrfToken" value="[0-9a-f]{64}"/)
        expect(answer.headers.get('set-cookie'), language).toContain('latchkey.csrf-token=')
        expect(answer.headers.get('content-security-policy'), language).not.toContain('form-action')
      }
      const page = await context.newPage()
      for (const from of ['/signup', '/login']) {
        await page.goto(`${from}?next=/account/profile`)
        await page.getByRole('button', { name: 'Continue with the other instance' }).click()
        if (from === '/signup') {
          await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com')
          await page.getByRole('textbox', { name: 'Password' }).fill(environment().demoPassword)
          await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        }
        // A self-registered client with a loopback address requires consent each time.
        await page.getByRole('button', { name: 'Authorize' }).click()
        await expect(page).toHaveURL(`${product.url}/account/profile`)
        await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Ada Lovelace')
        await page.context().clearCookies({ name: 'latchkey.session-token', domain: '127.0.0.1' })
      }
    } finally {
      await context.close()
      await product.stop()
    }
  })
}
