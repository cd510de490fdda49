// An agent that knows nothing but the address of the API and finds its own way in, with oauth4webapi:
// challenge -> resource metadata (RFC 9728) -> server metadata (RFC 8414) -> registration (RFC 7591) -> PKCE -> query.
//   npm run example:agent                     asks http://localhost:3000/graphql/v2
//   npm run example:agent -- https://api.example.com/graphql/v2
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import * as oauth from 'oauth4webapi'

const api = new URL(process.argv[2] ?? 'http://localhost:3000/graphql/v2')
// Only for trying things on one machine: over the network everything has https.
const insecure = { [oauth.allowInsecureRequests]: api.protocol === 'http:' }

const step = (text) => console.log(`- ${text}`)

const metadataUrl = await challengeOf(api)
step(`The API wants a token and says where to ask: ${metadataUrl}`)

const resource = await fetch(metadataUrl).then((response) =>
  oauth.processResourceDiscoveryResponse(api, response),
)
const issuer = new URL(resource.authorization_servers[0])
step(`Tokens for ${resource.resource} come from ${issuer}`)

const server = await oauth
  .discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  .then((response) => oauth.processDiscoveryResponse(issuer, response))
step(
  `Its endpoints: ${server.registration_endpoint}, ${server.authorization_endpoint}, ${server.token_endpoint}`,
)

const listener = createServer()
await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve))
const redirectUri = `http://127.0.0.1:${listener.address().port}/callback`

const client = await oauth
  .dynamicClientRegistrationRequest(
    server,
    { client_name: 'Example agent', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
    insecure,
  )
  .then(oauth.processDynamicClientRegistrationResponse)
step(`Registered as ${client.client_id}`)

const scope = ['openid', 'email', 'project:viewer']
  .filter((name) => resource.scopes_supported.includes(name))
  .join(' ')
const verifier = oauth.generateRandomCodeVerifier()
const state = oauth.generateRandomState()
const target = new URL(server.authorization_endpoint)
target.search = String(
  new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    resource: resource.resource,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  }),
)
step(`Asking a person. Open ${target.href}`)
openBrowser(target.href)

const answer = oauth.validateAuthResponse(server, client, await comesBack(listener, redirectUri), state)
const tokens = await oauth
  .authorizationCodeGrantRequest(server, client, oauth.None(), answer, redirectUri, verifier, {
    additionalParameters: { resource: resource.resource },
    ...insecure,
  })
  .then((response) => oauth.processAuthorizationCodeResponse(server, client, response))
step(`Got a token for ${tokens.expires_in} seconds with the scopes ${tokens.scope}`)

const result = await ask(
  '{ me { email } projects(first: 50) { edges { node { name } } } }',
  tokens.access_token,
)
if (result.errors) throw new Error(result.errors[0].message)
step(`Acting for ${result.data.me.email}, who shared:`)
for (const { node } of result.data.projects.edges) console.log(`    ${node.name}`)

/** Asks without a token, to be told where the API's metadata is. */
async function challengeOf(url) {
  const response = await post(url, '{ me { id } }').catch((error) => {
    console.error(`${url} does not answer (${error.cause?.code ?? error.message}). Start the service first.`)
    process.exit(1)
  })
  const header = response.headers.get('www-authenticate')
  const found = /resource_metadata="([^"]+)"/.exec(header ?? '')?.[1]
  if (!found) throw new Error(`${url} did not say where to get a token`)
  return found
}

async function ask(query, accessToken) {
  const response = await post(api, query, { authorization: `Bearer ${accessToken}` })
  return response.json()
}

function post(url, query, headers = {}) {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })
}

/** The address that the browser comes back to. */
function comesBack(listener, base) {
  return new Promise((resolve) => {
    listener.on('request', (req, res) => {
      const url = new URL(req.url, base)
      if (url.pathname !== '/callback') return res.writeHead(404).end()
      res.writeHead(200, { 'content-type': 'text/plain', connection: 'close' })
      res.end('Thank you. The agent goes on; you can close this window.')
      listener.close()
      resolve(url)
    })
  })
}

function openBrowser(url) {
  if (process.env.BROWSER === 'none') return
  const [command, ...args] = { darwin: ['open'], win32: ['explorer'] }[process.platform] ?? ['xdg-open']
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {}) // No browser here: the address is printed above.
    .unref()
}
