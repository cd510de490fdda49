import { routeFor } from '@/lib/base/http/route-for'
import { answerSignInForm } from '@/lib/edges/web/sign-in/answer-sign-in-forms'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('POST', answerSignInForm)
