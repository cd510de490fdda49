import { routeFor } from '@/lib/base/http/route-for'
import { answerPalette } from '@/lib/edges/web/console/palette'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET', answerPalette)
