import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { config } from '@/lib/base/config/env'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import {
  authorizeUrl,
  challengeOf,
  newVerifier,
  offline,
  requestToken,
  type TestApp,
} from '@/lib/testing/oauth-flow'
import { startTlsServer } from '@/lib/testing/tls-server'

/** A user with a workspace and a browser in which the user is signed in. */
export type Visitor = { email: string; password: string; browser: TestBrowser; workspaceId: string }

/** Throws an error if two values differ. @param what a description of the first value, for the error */
export function expect(actual: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return
  throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
}

let count = 0

/** Creates an account on the sign-up page in a new browser. The sign-up also creates a workspace. */
export async function signUp(): Promise<Visitor> {
  const browser = new TestBrowser()
  const email = `visitor-${++count}@example.test`
  const password = 'correct horse battery staple'
  await text(browser.follow('/signup'))
  const page = await browser.submit('/signup/submit', [
    ['name', `Visitor ${count}`],
    ['email', email],
    ['password', password],
  ])
  await page.arrayBuffer()
  expect(
    [page.status, new URL(page.url).pathname.split('/')[1]],
    [200, 'workspaces'],
    'the page after a sign-up',
  )
  const { me } = await askExplorer<{ me: { workspaces: { id: string }[] } }>(
    browser,
    '{ me { workspaces { id } } }',
  )
  return { email, password, browser, workspaceId: me.workspaces[0]?.id as string }
}

/**
 * Signs a visitor in with their password, by default in a new browser.
 * @returns the browser
 * @throws Error if the sign-in fails
 */
export async function signIn(
  { email, password }: Visitor,
  browser = new TestBrowser(),
): Promise<TestBrowser> {
  await text(browser.follow('/login'))
  const page = await browser.submit('/login/submit', [
    ['email', email],
    ['password', password],
  ])
  await page.arrayBuffer()
  expect(await isSignedIn(browser), true, 'the browser is signed in after its sign-in')
  return browser
}

/** Returns whether the browser can open the account page, which requires sign-in. */
export async function isSignedIn(browser: TestBrowser): Promise<boolean> {
  const page = await browser.follow('/account')
  await page.arrayBuffer()
  return page.status === 200
}

/**
 * Sends an operation with a browser's session, as the GraphQL explorer does.
 * @returns the response's data
 * @throws Error if the response contains errors
 */
export async function askExplorer<T>(
  browser: TestBrowser,
  query: string,
  variables: object = {},
): Promise<T> {
  const response = await browser.request('/graphql/explorer/ask', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: config().BASE_URL },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = await response.json()
  if (errors) throw new Error(`The API rejected ${query}: ${JSON.stringify(errors)}`)
  return data
}

/**
 * Queries the GraphQL API for the owner of a token.
 * @returns the owner's email address, or an error code, or the status of a response that contains neither
 */
export async function ownerOf(token: string): Promise<string> {
  const response = await fetch(new URL('/graphql/v2', config().BASE_URL), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: '{ me { email } }' }),
  })
  const { data, errors } = await response.json()
  return data?.me?.email ?? errors?.[0]?.extensions?.code ?? String(response.status)
}

/**
 * Registers a native app with dynamic client registration (RFC 7591). @returns the app, with the path of its
 * configuration endpoint and the token for that endpoint
 */
export async function registerApp(): Promise<TestApp & { manage: string; manageToken: string }> {
  const redirectUri = 'http://127.0.0.1:7777/callback'
  const response = await fetch(new URL('/oauth/register', config().BASE_URL), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Drill',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      token_endpoint_auth_method: 'none',
    }),
  })
  const body = await response.json()
  expect(response.status, 201, 'the status of a registration')
  return {
    clientId: body.client_id,
    redirectUri,
    manage: new URL(body.registration_client_uri).pathname,
    manageToken: body.registration_access_token,
  }
}

/** A user's sign-in to an app, up to the consent page. */
export type Pending = { app: TestApp; browser: TestBrowser; page: string; verifier: string }

/** Returns the URL of an app's authorization request with offline access. */
const requestOf = (app: TestApp, verifier: string): string =>
  authorizeUrl(app, {
    ...offline,
    scope: 'openid email offline_access workspace:viewer',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  })

/**
 * Opens the consent page of an app in a signed-in browser.
 * @param url an authorization URL with the verifier's code challenge, or one for a pushed request with this
 * code challenge
 */
export async function beginSignIn(
  app: TestApp,
  browser: TestBrowser,
  verifier = newVerifier(),
  url = requestOf(app, verifier),
): Promise<Pending> {
  const response = await browser.follow(url)
  await response.arrayBuffer()
  const page = new URL(response.url).pathname
  expect([response.status, page.split('/')[1]], [200, 'interaction'], 'the consent page')
  return { app, browser, page, verifier }
}

/** Pushes an authorization request (RFC 9126). @returns the authorization URL for the pushed request */
export async function pushRequest(app: TestApp, verifier: string): Promise<string> {
  const body = new URL(requestOf(app, verifier)).searchParams
  const response = await fetch(new URL('/oauth/request', config().BASE_URL), { method: 'POST', body })
  const { request_uri } = await response.json()
  expect(response.status, 201, 'the status of a pushed request')
  const url = new URL('/oauth/auth', config().BASE_URL)
  url.search = new URLSearchParams({ client_id: app.clientId, request_uri }).toString()
  return url.href
}

/** Authorizes the app on its consent page for the visitor's workspace. @returns the code */
export async function consent({ browser, page }: Pending, { workspaceId }: Visitor): Promise<string> {
  const response = await browser.submit(`${page}/decision`, [
    ['decision', 'authorize'],
    ['workspace', workspaceId],
  ])
  const code = new URL(response.headers.get('location') ?? config().BASE_URL).searchParams.get('code')
  if (!code) throw new Error(`the consent page led to ${response.status} ${response.headers.get('location')}`)
  return code
}

export type Tokens = { access_token: string; refresh_token: string; id_token: string }

export async function redeem({ app, verifier }: Pending, code: string): Promise<Tokens> {
  const { status, body } = await requestToken(app, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.redirectUri,
    code_verifier: verifier,
  })
  expect(status, 200, `the status of the token request (${JSON.stringify(body)})`)
  return body as Tokens
}

/** Goes through all pages of a first sign-in to an app in a new browser, and uses the access token. */
export async function signInThroughApp(visitor: Visitor, app: TestApp): Promise<void> {
  const browser = new TestBrowser()
  const verifier = newVerifier()
  const login = new URL(
    (await browser.follow(requestOf(app, verifier))).headers.get('location') ?? '',
    config().BASE_URL,
  )
  expect(login.pathname, '/login', 'the page for an app’s user without a session')
  await text(browser.request(login.href))
  const consentPage = await browser.submit('/login/submit', [
    ['email', visitor.email],
    ['password', visitor.password],
    ['next', login.searchParams.get('next') ?? ''],
  ])
  await consentPage.arrayBuffer()
  const page = new URL(consentPage.url).pathname
  expect([consentPage.status, page.split('/')[1]], [200, 'interaction'], 'the page after the password')
  const pending = { app, browser, page, verifier }
  const tokens = await redeem(pending, await consent(pending, visitor))
  expect(await ownerOf(tokens.access_token), visitor.email, 'the owner of the access token')
}

/**
 * Returns the paths of Next's static files that a page's HTML contains, such as scripts, styles, and fonts.
 */
export async function filesOf(page: Promise<Response>): Promise<string[]> {
  const html = await text(page)
  return [...new Set([...html.matchAll(/\/_next\/static\/[^"'\\?\s)]+/g)].map(([path]) => path))]
}

const text = async (response: Promise<Response>): Promise<string> => (await response).text()

/** Opens a webhook endpoint at a URL that the product can call. */
export async function openReceiver() {
  const received: { id: string; body: string; headers: Record<string, string>; accepted: boolean }[] = []
  let accepts = true
  const server = await startTlsServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    const headers = req.headers as Record<string, string>
    received.push({ id: String(headers['webhook-id']), body, headers, accepted: accepts })
    res.writeHead(accepts ? 204 : 503).end()
  })
  const waitFor = async (holds: () => boolean, what: string) => {
    for (const since = Date.now(); !holds(); await sleep(100)) {
      if (Date.now() - since > 90_000) throw new Error(`no ${what} within 90 s`)
    }
  }
  return {
    url: `${server.origin}/hook`,
    /**
     * The networks, ports, and certificate authority that the servers' guard of outbound requests must allow
     * (e2e/support/open-guard.mjs).
     */
    reaches: { networks: ['127.0.0.0/8'], ports: [server.port], ca: server.ca },
    accept: (value: boolean) => {
      accepts = value
    },
    /**
     * Waits up to 90 seconds for a delivery attempt with a text in its payload, and verifies the signature.
     * @param accepted whether to wait for an attempt that the endpoint accepted, or for one that it rejected
     * @returns the ID of the delivery
     */
    async attempt(contains: string, secret: string, accepted: boolean): Promise<string> {
      const found = () => received.find((each) => each.accepted === accepted && each.body.includes(contains))
      await waitFor(() => found() !== undefined, `${accepted ? 'delivery' : 'attempt'} of a webhook`)
      const { id, body, headers } = found() as (typeof received)[number]
      new Webhook(secret).verify(body, headers)
      return id
    },
    close: server.close,
  }
}
