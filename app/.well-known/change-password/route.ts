import { routeFor } from '@/lib/base/http/route-for'
import { answerChangePassword } from '@/lib/edges/web/discovery-files'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET', () => answerChangePassword())
