/** A message as a webhook receives it; a test holds it against one that is sent. */
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

/** A message as an app's own endpoint receives it; a test holds it against one that is sent. */
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

/** A whole receiver; a test runs it. */
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
  // Answer at once, and work afterwards: more than 15 seconds count as a failure.
  response.writeHead(204).end()
  console.log(request.headers['webhook-id'], message.type, message.data.resource.id)
}).listen(process.env.PORT ?? 8080)
`
