import { routeFor } from '@/lib/base/http/route-for'
import { answerHealthz } from '@/lib/server/health'

export const dynamic = 'force-dynamic'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET', () => answerHealthz())
