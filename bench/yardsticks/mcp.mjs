// A server that uses only the MCP library. It authenticates no requests and returns the same result for every
// tool call.
import { createServer } from 'node:http'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'

const port = Number(process.env.PORT)
const node = { id: '018f', name: 'Project', description: '', role: 'ADMIN', workspaceId: '018f' }
const projects = { totalCount: 1, nodes: [node], pageInfo: { hasNextPage: false, endCursor: null } }
const answer = {
  content: [{ type: 'text', text: JSON.stringify({ projects }) }],
  structuredContent: { projects },
}

const handler = createMcpHandler(() => {
  const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/call', async () => answer)
  return server
})

createServer(async (req, res) => {
  if (req.method === 'GET') return res.end('{}')
  const body = []
  for await (const chunk of req) body.push(chunk)
  const { authorization: _, ...headers } = req.headers
  const request = new Request(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers,
    body: Buffer.concat(body),
  })
  const response = await handler.fetch(request)
  const text = Buffer.from(await response.arrayBuffer())
  res.writeHead(response.status, {
    'content-type': response.headers.get('content-type') ?? 'application/json',
  })
  res.end(text)
}).listen(port, '127.0.0.1')
