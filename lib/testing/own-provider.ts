import { afterEach, beforeEach, vi } from 'vitest'
import { config, resetConfig } from '@/lib/base/config/env'
import { startOAuthServer } from './oauth-server'
import { makeOwner, signedInBrowser } from './oauth-world'

/**
 * An identity provider that is this very product: what it takes of its clients is as strict as a provider gets. Every test of the file
 * has it configured as `oidc`.
 *
 * @returns the provider's address, the redirect URI it sends people back to, and how a test configures it otherwise
 */
export async function startOwnProvider() {
  const provider = await startOAuthServer()
  const { makeApp } = await makeOwner()
  const callback = `${config().BASE_URL}/api/auth/callback/oidc`
  const app = await makeApp({ redirectUris: [callback] })
  const configure = (settings: Record<string, string | undefined>): void => {
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
    resetConfig()
  }
  beforeEach(() =>
    configure({
      OIDC_ISSUER: `${provider.url}/oauth`,
      OIDC_CLIENT_ID: app.clientId,
      OIDC_CLIENT_SECRET: app.secret,
    }),
  )
  afterEach(() => {
    vi.unstubAllEnvs()
    resetConfig()
    vi.restoreAllMocks()
  })
  return { url: provider.url, callback, configure }
}

/** What a browser sends back of the cookies in an answer. */
export const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .filter((cookie) => !/max-age=0/i.test(cookie))
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')

/** Goes to the provider as somebody who is signed in there. @returns the address it sends the browser back to */
export async function visitProvider(
  begun: Response,
  userId: string,
  decision = 'authorize',
): Promise<string> {
  const browser = await signedInBrowser(userId)
  const page = await browser.follow(begun.headers.get('location') as string)
  const { pathname } = new URL(page.url)
  if (!pathname.startsWith('/interaction/')) return page.url
  return (await browser.submit(`${pathname}/decision`, [['decision', decision]])).url
}
