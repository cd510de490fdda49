import { config } from '@/lib/base/config/env'

/** Sends a message to /mcp like an MCP client. */
export const sendToMcp = (message: object, token?: string, headers: Record<string, string> = {}) =>
  fetch(new URL('/mcp', config().BASE_URL), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(message),
  })

/** Returns the message that calls a tool. */
export const toolCall = (name: string, input: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
})

/**
 * Calls a tool.
 * @returns the status, the WWW-Authenticate challenge, the approval request's ID, and the body. A missing
 * challenge or ID is an empty string
 */
export async function callTool(token: string, name: string, input: object = {}) {
  const reply = await sendToMcp(toolCall(name, input), token)
  const text = await reply.text()
  return {
    status: reply.status,
    challenge: reply.headers.get('www-authenticate') ?? '',
    approvalId: /\/approvals\/([0-9a-f-]{36})/.exec(text)?.[1] ?? '',
    text,
  }
}
