import { routeFor } from '@/lib/base/http/route-for'
import { answerOpenApi } from '@/lib/features/docs/openapi/document'

export const dynamic = 'force-dynamic'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET', () => answerOpenApi())
