import { config } from '@/lib/base/config/env'
import { routeFor } from '@/lib/base/http/route-for'
import { answerMcpServer } from '@/lib/edges/web/discovery-files'

export const dynamic = 'force-dynamic'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET', () =>
  answerMcpServer(config()),
)
