import { handleGraphQL } from '@/lib/graphql/handler'
import { bridge } from '@/lib/web/bridge'

const handle = (request: Request): Promise<Response> => bridge(handleGraphQL, request)

export { handle as GET, handle as OPTIONS, handle as POST }
