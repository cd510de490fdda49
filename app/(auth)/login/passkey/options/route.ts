import { routeFor } from '@/lib/base/http/route-for'
import { answerPasskeyOptions } from '@/lib/edges/web/sign-in/answer-second-step'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('POST', answerPasskeyOptions)
