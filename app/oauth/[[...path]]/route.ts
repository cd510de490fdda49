import { handleOAuth } from '@/lib/oauth/handler'
import { bridge } from '@/lib/web/bridge'

const handle = (request: Request): Promise<Response> => bridge(handleOAuth, request)

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
}
