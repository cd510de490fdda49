import { routeFor } from '@/lib/base/http/route-for'
import { answerRobots } from '@/lib/edges/web/signposts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET', () => answerRobots())
