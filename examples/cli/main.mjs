// A command-line tool that signs a user in, with the library openid-client. npm run example:cli signs in if
//   necessary, then lists the projects npm run example:cli -- login signs in with a code entered on any
//   device (RFC 8628) npm run example:cli -- login --browser signs in with the local browser (RFC 8252) npm
//   run example:cli -- projects | whoami | logout SERVER_URL is the URL of the server (default:
//   http://localhost:3000). To use an existing client, create a Native app with the redirect URI
//   http://127.0.0.1/callback under Settings > Developer, and set CLIENT_ID to its client ID. Without
//   CLIENT_ID, the tool registers itself (RFC 7591).
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import * as oidc from 'openid-client'
import { forgetCredentials, readCredentials, writeCredentials } from './credentials.mjs'

const server = new URL(process.env.SERVER_URL ?? 'http://localhost:3000').origin
const issuer = new URL('/oauth', server)
const scope = 'openid email offline_access project:member'
// Allows plain HTTP if the issuer's URL starts with http:, which is only for trials on one machine. Use HTTPS
// in production.
const options = issuer.protocol === 'http:' ? { execute: [oidc.allowInsecureRequests] } : {}

const commands = { login, projects, whoami, logout }
const [name = 'projects', ...flags] = process.argv.slice(2)

try {
  if (!commands[name])
    throw new Error(`Unknown command "${name}". Available commands: ${Object.keys(commands).join(', ')}.`)
  await commands[name](flags)
} catch (error) {
  const reason = error.error_description ?? error.cause?.error_description ?? error.cause?.message
  console.error([error.message, reason].filter(Boolean).join(': '))
  // The server deletes unused registrations. If this client's is deleted, delete the saved client ID, so that
  // the next run registers again.
  if (error.error === 'invalid_client' && !process.env.CLIENT_ID) forgetCredentials()
  process.exitCode = 1
}

async function login(flags) {
  const client = await connect()
  const tokens = flags.includes('--browser') ? await loginByBrowser(client) : await loginByDevice(client)
  keep(client, tokens)
  const user = await oidc.fetchUserInfo(client, tokens.access_token, tokens.claims().sub)
  console.log(`Signed in as ${user.email}.`)
}

/**
 * Signs in with the device flow: the user enters a short code on any device, and the tool polls for the
 * tokens.
 */
async function loginByDevice(client) {
  const device = await oidc.initiateDeviceAuthorization(client, { scope })
  console.log(`Open ${device.verification_uri} and enter the code ${device.user_code}`)
  console.log(`or open ${device.verification_uri_complete}`)
  return oidc.pollDeviceAuthorizationGrant(client, device)
}

/** Signs in with the local browser, which is redirected to a port that is open only for this sign-in. */
async function loginByBrowser(client) {
  const verifier = oidc.randomPKCECodeVerifier()
  const state = oidc.randomState()
  const listener = createServer()
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const redirectUri = `http://127.0.0.1:${listener.address().port}/callback`
  const target = oidc.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    scope,
    prompt: 'consent', // with offline_access, requests a refresh token
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  })
  console.log(`Open ${target.href}`)
  openBrowser(target.href)
  const answer = await new Promise((resolve) => {
    listener.on('request', (req, res) => {
      const url = new URL(req.url, redirectUri)
      if (url.pathname !== '/callback') return res.writeHead(404).end()
      res.writeHead(200, { 'content-type': 'text/plain', connection: 'close' })
      res.end('You can close this window and return to the terminal.')
      resolve(url)
    })
  })
  listener.close()
  return oidc.authorizationCodeGrant(client, answer, { pkceCodeVerifier: verifier, expectedState: state })
}

async function projects() {
  const { data } = await query('{ projects(first: 50) { edges { node { id name } } } }')
  for (const { node } of data.projects.edges) console.log(`${node.name} (${node.id})`)
}

async function whoami() {
  const { data } = await query('{ me { id email } }')
  console.log(`${data.me.email} (${data.me.id})`)
}

async function logout() {
  const { refresh_token: token } = readCredentials(server)
  if (token) await oidc.tokenRevocation(await connect(), token)
  forgetCredentials()
  console.log('Signed out.')
}

async function query(text) {
  if (!readCredentials(server).access_token) await login([])
  const answer = await fetch(new URL('/graphql/v2', server), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await accessToken()}` },
    body: JSON.stringify({ query: text }),
  }).then((response) => response.json())
  if (answer.errors) throw new Error(`${answer.errors[0].message} (trace ${answer.extensions?.traceId})`)
  return answer
}

/**
 * Returns the saved access token if it is valid for more than another minute. Otherwise, refreshes and saves
 * the tokens.
 * @throws Error if the server rejects the refresh token; the saved credentials are then deleted
 */
async function accessToken() {
  const kept = readCredentials(server)
  if (kept.expires_at > Date.now() + 60_000) return kept.access_token
  const client = await connect()
  try {
    const tokens = await oidc.refreshTokenGrant(client, kept.refresh_token)
    return keep(client, tokens, tokens.refresh_token ?? kept.refresh_token).access_token
  } catch (error) {
    if (error.error !== 'invalid_grant') throw error
    forgetCredentials()
    throw new Error('Your sign-in has expired or was revoked. Run `login` again.')
  }
}

/**
 * Saves the tokens and returns the saved credentials. A native app receives a new refresh token with every
 * refresh and must save it immediately.
 */
function keep(client, tokens, refreshToken = tokens.refresh_token) {
  return writeCredentials({
    server,
    client_id: client.clientMetadata().client_id,
    access_token: tokens.access_token,
    expires_at: Date.now() + tokens.expiresIn() * 1000,
    refresh_token: refreshToken,
  })
}

/**
 * Returns the client configuration. Without CLIENT_ID, registers the tool on first use and saves its client
 * ID.
 */
async function connect() {
  const clientId = process.env.CLIENT_ID ?? readCredentials(server).client_id
  if (clientId) return oidc.discovery(issuer, clientId, undefined, oidc.None(), options)
  const client = await oidc.dynamicClientRegistration(
    issuer,
    {
      client_name: 'Example CLI',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/callback'], // any port, RFC 8252 section 7.3
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      token_endpoint_auth_method: 'none',
    },
    oidc.None(),
    options,
  )
  writeCredentials({ server, client_id: client.clientMetadata().client_id })
  return client
}

function openBrowser(url) {
  if (process.env.BROWSER === 'none') return
  const [command, ...args] = { darwin: ['open'], win32: ['explorer'] }[process.platform] ?? ['xdg-open']
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {}) // If there is no browser, the user opens the printed URL.
    .unref()
}
