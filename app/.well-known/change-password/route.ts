import { routeFor } from '@/lib/base/http/route-for'
import { answerChangePassword } from '@/lib/edges/web/signposts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET', () => answerChangePassword())
