import { afterAll } from 'vitest'
import { config } from '@/lib/base/config/env'
import { handleGraphQL } from '@/lib/edges/graphql/handler'
import { handleOAuth } from '@/lib/edges/oauth/http/handler'
import { createDispatcher, type NodeHandler } from '@/lib/server/dispatch'
import { makeHandleMcp } from '@/lib/server/handle-mcp'
import { attach, createHttpServer, drain, listen } from '@/lib/server/http-server'

export type TestServer = {
  /** The origin, without a trailing slash; the test's BASE_URL. */
  url: string
  /** Fetches from the server. Redirects are returned, not followed. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>
}

/** Replaces the pages of the product, unless a test provides its own. */
const noPages: NodeHandler = (_req, res) => {
  res.writeHead(404, { 'content-type': 'text/plain' }).end('The pages are not part of this server.\n')
}

/** The docs are pages. */
const noDocs = async () => undefined

/**
 * Starts the product's HTTP server on the test file's database, with OAuth and GraphQL like in server.ts and
 * without Next. It stops after the file's last test.
 * @param pages answers all other requests
 */
export async function startTestServer(pages: NodeHandler = noPages): Promise<TestServer> {
  const { PORT, HOST, BASE_URL } = config()
  const server = createHttpServer()
  attach(
    server,
    createDispatcher({ oauth: handleOAuth, graphql: handleGraphQL, mcp: makeHandleMcp(noDocs), pages }),
  )
  await listen(server, PORT, HOST)
  afterAll(async () => {
    server.closeAllConnections()
    await drain(server)
  })
  return {
    url: BASE_URL,
    fetch: (path, init) => fetch(new URL(path, BASE_URL), { redirect: 'manual', ...init }),
  }
}
