import { requestAddress } from '@/lib/base/http/client-address'
import { authenticate } from '@/lib/edges/graphql/authenticate'
import { countCaller } from '@/lib/edges/graphql/execute-for'
import { limitUnauthenticated } from '@/lib/edges/graphql/limits/limit-queries'
import { runOperation } from '@/lib/edges/graphql/present-answer'
import { schemaText } from '@/lib/edges/graphql/reference/reference'
import { schema } from '@/lib/edges/graphql/schema'
import { makeMcpHandler } from '@/lib/edges/mcp/handler'
import type { ReadDocs } from '@/lib/edges/mcp/resources'

/**
 * Returns the handler for /mcp, which provides the tools for agents. The tools run GraphQL operations under
 * the API's limits (ADR 0025).
 * @param readDocs returns a docs page as Markdown
 */
export const makeHandleMcp = (readDocs: ReadDocs) =>
  makeMcpHandler(
    { schema, schemaText, run: runOperation },
    {
      authenticate: (req) => authenticate(req, '/mcp'),
      count: countCaller,
      countUnauthenticated: (req) => limitUnauthenticated(requestAddress(req)),
    },
    readDocs,
  )
