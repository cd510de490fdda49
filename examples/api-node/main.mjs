// A deployment API that accepts access tokens from Latchkey, both opaque tokens and JWTs. It uses Hono and
//   jose. ISSUER=http://localhost:3000/oauth IDENTIFIER=https://deployments.example.com API_ID=...
//   API_SECRET=... npm run example:api
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const { ISSUER, IDENTIFIER, API_ID, API_SECRET, PORT = '4100' } = process.env
if (!ISSUER || !IDENTIFIER || !API_ID || !API_SECRET) {
  console.error(
    'Set ISSUER, IDENTIFIER, API_ID, and API_SECRET. In the console, the API’s page under Instance > APIs shows them.',
  )
  process.exit(1)
}
const metadata = await fetch(`${ISSUER}/.well-known/openid-configuration`).then((answer) => answer.json())
const keys = createRemoteJWKSet(new URL(metadata.jwks_uri))

/**
 * Returns the claims of a valid token for this API, or undefined for any other token. Verifies JWTs locally,
 * and introspects opaque tokens and JWTs whose `authorization_details` are incomplete.
 */
async function claimsOf(token) {
  if (token.split('.').length !== 3) return introspect(token)
  const checks = { issuer: ISSUER, audience: IDENTIFIER, typ: 'at+jwt' }
  const { payload } = await jwtVerify(token, keys, checks).catch(() => ({ payload: undefined }))
  const isComplete = payload?.authorization_details?.every(({ type }) => type !== 'incomplete') ?? true
  return isComplete ? payload : introspect(token)
}

/**
 * Returns a token's claims from the introspection endpoint (RFC 7662), or undefined if the token is not
 * active.
 */
async function introspect(token) {
  const answer = await fetch(metadata.introspection_endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${API_ID}:${API_SECRET}`)}` },
    body: new URLSearchParams({ token }),
  })
  if (!answer.ok) throw new Error(`Introspection failed with status ${answer.status}.`)
  const claims = await answer.json()
  return claims.active ? claims : undefined
}

/**
 * Returns an error response as specified in RFC 6750. Without `error`, the response contains no RFC 6750
 * error code.
 */
function refuse(c, status, error) {
  const resource = `resource_metadata="${IDENTIFIER}/.well-known/oauth-protected-resource"`
  c.header('WWW-Authenticate', `Bearer ${error ? `error="${error}", ` : ''}${resource}`)
  return c.json({ error: error ?? 'unauthorized' }, status)
}

const app = new Hono()

app.post('/projects/:id/deployments', async (c) => {
  const token = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  if (!token) return refuse(c, 401)
  const claims = await claimsOf(token)
  if (!claims) return refuse(c, 401, 'invalid_token')
  const project = claims.authorization_details?.find(({ identifier }) => identifier === c.req.param('id'))
  const isScoped = claims.scope.split(' ').includes('deployments:write')
  if (!isScoped || !project || project.role === 'viewer') return refuse(c, 403, 'insufficient_scope')
  return c.json({ deployed: project.identifier, by: claims.sub }, 201)
})

// Clients find the URL of the authorization server in this document (RFC 9728).
app.get('/.well-known/oauth-protected-resource', (c) =>
  c.json({
    resource: IDENTIFIER,
    authorization_servers: [ISSUER],
    scopes_supported: ['deployments:write'],
    bearer_methods_supported: ['header'],
  }),
)

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`Deployment API: http://127.0.0.1:${port}`),
)
