import { config } from '@/lib/base/config/env'
import { routeFor } from '@/lib/base/http/route-for'
import { answerLlms } from '@/lib/edges/web/discovery-files'

export const dynamic = 'force-dynamic'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET', () => answerLlms(config()))
