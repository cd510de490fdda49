import { routeFor } from '@/lib/base/http/route-for'
import { answerSchema } from '@/lib/edges/graphql/reference/reference'

export const dynamic = 'force-dynamic'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET', answerSchema)
