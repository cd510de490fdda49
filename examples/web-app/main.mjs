// A web app with "Sign in with Latchkey". It uses UserInfo, the GraphQL API, and the library openid-client.
//   npm run example            (while `npm start` runs; uses the demo's example app)
//   ISSUER=... CLIENT_ID=... CLIENT_SECRET=... node examples/web-app/main.mjs
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import * as oidc from 'openid-client'

const settings = { ...demoSettings(), ...process.env }
const port = Number(process.env.EXAMPLE_PORT ?? 4000)
const redirectUri = `http://localhost:${port}/callback`
if (!settings.ISSUER || !settings.CLIENT_ID) {
  console.error(
    `No app is configured. Start the demo first (npm start), or create a Web app with the redirect URI ${redirectUri}\n` +
      'under Settings > Developer and set ISSUER, CLIENT_ID and CLIENT_SECRET.',
  )
  process.exit(1)
}

const issuer = new URL(settings.ISSUER)
const config = await oidc
  .discovery(
    issuer,
    settings.CLIENT_ID,
    settings.CLIENT_SECRET,
    undefined,
    // Allows plain HTTP if the issuer's URL starts with http:, which is only for trials on one machine.
    // Use HTTPS in production.
    issuer.protocol === 'http:' ? { execute: [oidc.allowInsecureRequests] } : undefined,
  )
  .catch((error) =>
    quit(`${issuer} does not respond (${error.cause?.code ?? error.message}). Start the server first.`),
  )
const api = new URL('/graphql/v2', issuer)
/** @type {Map<string, { verifier?: string, state?: string, claims?: object, projects?: object[] }>} */
const sessions = new Map()

createServer(async (req, res) => {
  try {
    await route(req, res)
  } catch (error) {
    res.writeHead(400, { 'content-type': 'text/html' })
    res.end(page(`<h1>Sign-in failed</h1><p>${html(reason(error))}</p><p><a href="/">Start again</a></p>`))
  }
})
  .on('error', (error) =>
    quit(`Port ${port} is not available (${error.code}). Choose another port with EXAMPLE_PORT.`),
  )
  .listen(port, () => console.log(`Example app: http://localhost:${port}`))

function quit(message) {
  console.error(message)
  process.exit(1)
}

async function route(req, res) {
  const url = new URL(req.url, `http://localhost:${port}`)
  const session = sessionOf(req, res)
  if (url.pathname === '/login') {
    session.verifier = oidc.randomPKCECodeVerifier()
    session.state = oidc.randomState()
    const target = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid email profile offline_access project:member',
      prompt: 'consent', // with offline_access, requests a refresh token
      code_challenge: await oidc.calculatePKCECodeChallenge(session.verifier),
      code_challenge_method: 'S256',
      state: session.state,
    })
    return res.writeHead(302, { location: target.href }).end()
  }
  if (url.pathname === '/callback') {
    const tokens = await oidc.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: session.verifier,
      expectedState: session.state,
    })
    session.claims = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
    session.projects = await projects(tokens.access_token)
    return res.writeHead(302, { location: '/' }).end()
  }
  if (url.pathname === '/logout') {
    sessions.delete(session.id)
    return res.writeHead(302, { location: '/' }).end()
  }
  res.writeHead(url.pathname === '/' ? 200 : 404, { 'content-type': 'text/html' })
  res.end(
    page(
      session.claims
        ? signedIn(session)
        : '<h1>Example app</h1><p><a class="button" href="/login">Sign in</a></p>',
    ),
  )
}

/**
 * Returns up to 50 of the projects that the user shared with the app. @throws Error if the GraphQL API
 * returns an error
 */
async function projects(accessToken) {
  const query = '{ projects(first: 50) { edges { node { id name } } } }'
  const answer = await fetch(api, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ query }),
  }).then((response) => response.json())
  if (answer.errors) throw new Error(`${answer.errors[0].message} (trace ${answer.extensions?.traceId})`)
  return answer.data.projects.edges.map((edge) => edge.node)
}

const signedIn = ({ claims, projects }) => `
  <h1>Hello, ${html(claims.name ?? claims.sub)}</h1>
  <h2>Claims</h2>
  <table>${Object.entries(claims)
    .map(([name, value]) => `<tr><th>${html(name)}</th><td>${html(String(value))}</td></tr>`)
    .join('')}</table>
  <h2>Projects you shared</h2>
  <ul>${projects.map((p) => `<li>${html(p.name)}</li>`).join('')}</ul>
  <p><a href="/logout">Sign out of the example</a></p>`

const page = (body) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Example app</title>
<meta name="viewport" content="width=device-width"><style>
  body { font: 16px/1.5 system-ui; max-width: 40rem; margin: 10vh auto; padding: 0 1rem; color-scheme: light dark }
  .button { background: #4f46e5; color: #fff; padding: .6rem 1.2rem; border-radius: 6px; text-decoration: none }
  th { text-align: left; padding-right: 1rem } small { opacity: .7 }
</style><body>${body}</body></html>`

const html = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

const reason = (error) =>
  [error.message, error.error_description ?? error.cause?.error_description].filter(Boolean).join(': ')

function sessionOf(req, res) {
  const known = /(?:^|; )example=([^;]+)/.exec(req.headers.cookie ?? '')?.[1]
  const id = known && sessions.has(known) ? known : randomUUID()
  if (!sessions.has(id)) sessions.set(id, { id })
  res.setHeader('set-cookie', `example=${id}; HttpOnly; SameSite=Lax; Path=/`)
  return sessions.get(id)
}

/**
 * Returns the settings of the demo's example app: ISSUER, CLIENT_ID, and CLIENT_SECRET. `npm start` writes
 * them to a file, one per line. Returns an empty object if the file cannot be read.
 */
function demoSettings() {
  try {
    const text = readFileSync(`${process.env.DATA_DIR ?? '.data'}/example.env`, 'utf8')
    return Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s)),
    )
  } catch {
    return {}
  }
}
