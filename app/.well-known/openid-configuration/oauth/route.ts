import { handleOAuth } from '@/lib/oauth/handler'
import { bridge } from '@/lib/web/bridge'

const handle = (request: Request): Promise<Response> => bridge(handleOAuth, request)

export { handle as GET, handle as OPTIONS }
