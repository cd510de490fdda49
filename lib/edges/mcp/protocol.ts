import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { log } from '@/lib/base/log/log'
import { type Exchange, makeServer } from './make-server'
import type { ReadDocs } from './resources'
import type { Api } from './tools/api'
import { makeToolBox } from './tools/tool-box'

/** The protocol's library, with a server made for each request out of the tools, which are made once. */
export function makeProtocol(api: Api, readDocs: ReadDocs): McpHttpHandler {
  const wares = { api, box: makeToolBox(api.schema), readDocs }
  return createMcpHandler(
    ({ authInfo }) =>
      makeServer(wares, (authInfo?.extra as { exchange: Exchange } | undefined)?.exchange as Exchange),
    { maxSubscriptions: 0, onerror: (error) => log.debug('an MCP message was refused', { error }) },
  )
}
