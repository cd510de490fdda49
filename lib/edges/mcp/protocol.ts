import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { log } from '@/lib/base/log/log'
import { type Exchange, makeServer } from './make-server'
import type { Api } from './tools/api'
import { makeToolBox } from './tools/tool-box'

/** The protocol's library, with a server made for each request out of the tools, which are made once. */
export function makeProtocol(api: Api): McpHttpHandler {
  const tools = { api, box: makeToolBox(api.schema) }
  return createMcpHandler(
    ({ authInfo }) =>
      makeServer(tools, (authInfo?.extra as { exchange: Exchange } | undefined)?.exchange as Exchange),
    { maxSubscriptions: 0, onerror: (error) => log.debug('an MCP message was refused', { error }) },
  )
}
