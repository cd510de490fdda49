import type { IncomingMessage } from 'node:http'
import type { Tool } from '@modelcontextprotocol/server'
import type { GraphQLSchema } from 'graphql'
import type { Usage } from '@/lib/features/figures/count-usage'
import type { Caller } from '@/lib/policy/bearer'
import type { Scope } from '@/lib/policy/scopes'

/**
 * One request to `/mcp`: the caller, the state of the caller's rate limit, the trace ID, and the HTTP request
 * with the response headers.
 */
export type Asking = {
  caller: Caller
  usage: Usage
  traceId: string
  http: { req: IncomingMessage; headers: Record<string, string> }
}

/** The result of an operation: the status and body that POST /graphql/v2 would return. */
export type ApiAnswer = {
  status: number
  data?: Record<string, unknown> | null | undefined
  errors?: readonly ApiError[] | undefined
}

export type ApiError = {
  message: string
  path?: readonly (string | number)[] | undefined
  extensions: { code: string; requiredScope?: unknown; [key: string]: unknown }
}

/** The GraphQL API, as lib/server passes it in. */
export type Api = {
  schema: GraphQLSchema
  /** Returns the schema as SDL. The text is cached, because printing it takes longer than most requests. */
  schemaText: () => string
  /**
   * Runs an operation. The first mutation is not counted as a request, because the request to `/mcp` was
   * counted. Every further mutation is counted. The promise never rejects: the result contains all API
   * errors.
   */
  run: (
    asking: Asking,
    operation: { query: string; variables?: Record<string, unknown> },
  ) => Promise<ApiAnswer>
}

/** A tool that can be listed and called. */
export type ReadyTool = {
  /** The entry for `tools/list`. */
  listed: Tool
  /** The scope that an app needs. Undefined if any token is enough, or if the scope depends on the input. */
  scope?: Scope | undefined
  /**
   * @param input the arguments. `callTool` has already rejected unknown names and missing required arguments
   */
  call: (api: Api, asking: Asking, input: Record<string, unknown>) => Promise<ApiAnswer>
}
