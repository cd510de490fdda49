/** Returns an example of a message to a webhook. A test compares it with a real message. */
export const webhookMessageSnippet = (): string => `{
  "type": "project.created",
  "timestamp": "2026-11-21T09:30:00.000Z",
  "data": {
    "workspaceId": "0199a3f0-2f6b-7c1e-9d54-6f0b8d1c2a3e",
    "resource": { "type": "project", "id": "0199a3f1-8c44-7a02-b1c7-2e9f5d6a7b80" },
    "actor": { "kind": "session", "userId": "0199a3ef-11aa-7d3c-8e21-5b4a3c2d1e0f", "id": null },
    "details": { "name": "Website" }
  }
}
`

/** Returns an example of a message to an app's webhook. A test compares it with a real message. */
export const appWebhookMessageSnippet = (): string => `{
  "type": "app.authorized",
  "timestamp": "2026-11-21T09:30:00.000Z",
  "data": {
    "clientId": "lk_app_5mX2cTq8VbN4rLh7KdP1aZ",
    "userId": "0199a3ef-11aa-7d3c-8e21-5b4a3c2d1e0f",
    "workspaceId": null,
    "installationId": null,
    "scopes": ["openid", "workspace:member"]
  }
}
`

/** Returns the code of a complete webhook receiver. A test runs it. */
export const webhookReceiverSnippet = (): string => `import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString()
  let message
  try {
    message = webhook.verify(body, request.headers)
  } catch {
    return response.writeHead(400).end()
  }
  // Respond immediately, and process the message afterwards. A delivery fails after 15 seconds.
  response.writeHead(204).end()
  console.log(request.headers['webhook-id'], message.type, message.data.resource.id)
}).listen(process.env.PORT ?? 8080)
`

/**
 * Returns commands that use an app's own credentials to list the app's installations.
 * @param baseUrl the instance's origin
 */
export const listInstallationsSnippet = (baseUrl: string): string =>
  `TOKEN=$(curl --fail --silent -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=client_credentials \\
  "${baseUrl}/oauth/token" | jq -r .access_token)

curl --fail --silent -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{ "query": "{ appInstallations { nodes { resource workspaceId workspaceName scopes } } }" }' \\
  "${baseUrl}/graphql/v2"
`

/**
 * Returns the code of a job that runs for every workspace where the app is installed. The code uses
 * openid-client.
 * @param issuer the issuer identifier
 * @param baseUrl the instance's origin
 */
export const installationJobSnippet = (issuer: string, baseUrl: string): string =>
  `import * as oauth from 'openid-client'

const config = await oauth.discovery(new URL('${issuer}'), process.env.CLIENT_ID, process.env.CLIENT_SECRET)

async function ask(token, query) {
  const response = await fetch('${baseUrl}/graphql/v2', {
    method: 'POST',
    headers: { authorization: \`Bearer \${token}\`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return (await response.json()).data
}

const own = await oauth.clientCredentialsGrant(config)
const { appInstallations } = await ask(own.access_token, '{ appInstallations { nodes { resource workspaceName } } }')

for (const { resource, workspaceName } of appInstallations.nodes) {
  const { access_token } = await oauth.clientCredentialsGrant(config, { resource })
  const { projects } = await ask(access_token, '{ projects { nodes { name } } }')
  console.log(workspaceName, projects.nodes.map(({ name }) => name))
}
`

/**
 * Returns an example of the header and the claims of an assertion that an identity provider issues for this
 * instance.
 * @param baseUrl the instance's origin
 */
export const assertionClaimsSnippet = (
  baseUrl: string,
): string => `{ "alg": "ES256", "typ": "oauth-id-jag+jwt", "kid": "2026-11" }
.
{
  "iss": "https://login.example.com",
  "sub": "00u1abcd",
  "aud": "${baseUrl}/oauth",
  "client_id": "lk_app_...",
  "jti": "9e43f81b64a33f20116179",
  "iat": 1795420800,
  "exp": 1795421100,
  "email": "grace@example.com",
  "resource": "${baseUrl}/mcp",
  "scope": "workspace:member"
}`

/**
 * Returns a command that redeems an identity provider's assertion with the app's own credentials and prints
 * the access token.
 * @param baseUrl the instance's origin
 */
export const redeemSnippet = (baseUrl: string): string =>
  `curl --fail --silent -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer \\
  -d "assertion=$ID_JAG" \\
  "${baseUrl}/oauth/token" | jq -r .access_token
`

/**
 * Returns a command that exports a month of a workspace's audit log.
 * @param baseUrl the instance's origin
 */
export const auditExportSnippet = (baseUrl: string): string =>
  `curl --fail --remote-name --remote-header-name \\
  -H "Authorization: Bearer $API_TOKEN" \\
  "${baseUrl}/audit-log/export?workspaceId=$WORKSPACE_ID&format=ndjson&since=2026-11-01&until=2026-11-30"
`

/**
 * Returns an example of a message that a stream sends. A test compares its event's fields with those of a
 * real event.
 */
export const auditEventSnippet = (): string => `[
  {
    "id": "0199a3f1-9d02-7b40-8c11-3a5b7c9d1e2f",
    "createdAt": "2026-11-21T09:30:00.000Z",
    "action": "project.created",
    "actorKind": "session",
    "userId": "0199a3ef-11aa-7d3c-8e21-5b4a3c2d1e0f",
    "userName": "Ada Lovelace",
    "actorId": null,
    "actorName": null,
    "resourceType": "project",
    "resourceId": "0199a3f1-8c44-7a02-b1c7-2e9f5d6a7b80",
    "resourceName": "Website",
    "projectName": null,
    "workspaceId": "0199a3f0-2f6b-7c1e-9d54-6f0b8d1c2a3e",
    "workspaceSlug": "acme",
    "workspaceName": "Acme",
    "ip": "203.0.113.7",
    "userAgent": "Mozilla/5.0",
    "details": { "name": "Website" }
  }
]
`
