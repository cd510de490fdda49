import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { type GraphQLLimits, graphqlLimits } from '@/lib/base/config/limits'
import { handleGraphQL } from '@/lib/edges/graphql/handler'
import { type Followed, followStream } from './event-stream'

/** A response from POST /graphql/v2. */
export type GraphQLReply = {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the result of any query
  data: any
  errors: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[] | undefined
  extensions: { traceId: string; cost?: { requested: number; budget: number } }
}

/**
 * Serves the GraphQL handler over HTTP while a test file runs.
 * @param limits the API's limits; they are read for each request, so tests can change them
 */
export function serveGraphQL(limits: GraphQLLimits = graphqlLimits) {
  const server = createServer((req, res) => handleGraphQL(req, res, limits))
  let url = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql/v2`
  })
  afterAll(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )

  /** Sends any request. */
  const send = async (init: RequestInit): Promise<GraphQLReply> => {
    const response = await fetch(url, init)
    const { data, errors, extensions } = await response.json()
    return { status: response.status, headers: response.headers, data, errors, extensions }
  }

  /** Executes an operation with a token. If the token is undefined, sends no credentials. */
  const execute = (token: string | undefined, query: string, variables?: object): Promise<GraphQLReply> =>
    send({
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query, variables }),
    })

  /** Starts a subscription with a token. If the token is undefined, sends no credentials. */
  const follow = (token: string | undefined, query: string, variables?: object): Promise<Followed> =>
    followStream(url, token, query, variables)

  return { url: () => url, send, execute, follow }
}
