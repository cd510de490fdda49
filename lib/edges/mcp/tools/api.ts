import type { IncomingMessage } from 'node:http'
import type { Tool } from '@modelcontextprotocol/server'
import type { GraphQLSchema } from 'graphql'
import type { Usage } from '@/lib/features/figures/count-usage'
import type { Caller } from '@/lib/policy/bearer'
import type { Scope } from '@/lib/policy/scopes'

/** One request to `/mcp`: who asks, where their token stands after it, its name in the logs, and itself with the headers of its answer. */
export type Asking = {
  caller: Caller
  usage: Usage
  traceId: string
  http: { req: IncomingMessage; headers: Record<string, string> }
}

/** What an operation came to: the status and the body that POST /graphql/v2 would answer. */
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

/** The GraphQL API, as lib/server hands it to this edge. */
export type Api = {
  schema: GraphQLSchema
  /** Returns the schema as SDL. The text is kept, because printing it takes the process longer than most requests. */
  schemaText: () => string
  /** Counts nothing: the request to `/mcp` was counted. Never rejects for what the API would answer. */
  run: (
    asking: Asking,
    operation: { query: string; variables?: Record<string, unknown> },
  ) => Promise<ApiAnswer>
}

/** A tool, ready to be listed and called. */
export type ReadyTool = {
  /** As `tools/list` tells it. */
  listed: Tool
  /** What an app needs for it; absent where every token may, or where it depends on the input. */
  scope?: Scope | undefined
  /** @param input holds no other names than the input schema */
  call: (api: Api, asking: Asking, input: Record<string, unknown>) => Promise<ApiAnswer>
}
