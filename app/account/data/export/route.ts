import { routeFor } from '@/lib/base/http/route-for'
import { answerOwnData } from '@/lib/edges/web/exports'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET', answerOwnData)
