import type { IncomingMessage } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import type { Usage } from '@/lib/features/figures/count-request'
import type { Caller } from '@/lib/policy/bearer'

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
