import { placeholders } from '@/lib/features/docs/snippets/values'
import { nextAuthSnippet } from '@/lib/features/docs/snippets/web-app'
import { testPort } from '@/lib/testing/free-port'
import { expect, test } from '../support/test'
import { decide } from './consent'
import { createApp } from './oauth-app'
import { Program } from './program'
import { saveSnippet } from './save-snippet'

test('an app that uses next-auth signs a user in', async ({ page, signIn, baseURL }) => {
  const port = await testPort()
  const origin = `http://localhost:${port}`
  await signIn('ada')
  const app = await createApp(page, {
    name: 'App with next-auth',
    type: 'Web',
    redirectUris: [`${origin}/api/auth/callback/latchkey`],
  })
  const snippet = nextAuthSnippet({ ...placeholders, ...app, baseUrl: String(baseURL) })
  const provider = saveSnippet('provider.mjs', snippet)
  const host = new Program('e2e/clients/next-auth-host.mjs', [], {
    PORT: String(port),
    PROVIDER: provider.file,
  })
  await host.prints(/is ready at/)
  await page.goto(`${origin}/api/auth/signin`)
  await page.getByRole('button', { name: 'Sign in with Latchkey' }).click()
  await decide(page)
  await page.waitForURL(`${origin}/**`)
  const session = await page.evaluate(() => fetch('/api/auth/session').then((response) => response.json()))
  expect(session.user, host.output).toEqual({ name: 'Ada Lovelace', email: 'ada@example.com' })
  await host.stop()
  provider.remove()

  // Browsers share cookies across ports. Even so, the app's session cookie must not replace this instance's
  // session cookie.
  await page.goto('/account/profile')
  await expect(page).toHaveURL(/\/account\/profile/)
})
