import { routeFor } from '@/lib/base/http/route-for'
import { answerAuth } from '@/lib/edges/web/sign-in/answer-auth'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET or POST', answerAuth)
