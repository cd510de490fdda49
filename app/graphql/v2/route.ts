import { handleGraphQL } from '@/lib/graphql/handler'
import { bridge } from '@/lib/web/bridge'

const handle = (request: Request): Promise<Response> => bridge(handleGraphQL, request)

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
}
