import { routeFor } from '@/lib/base/http/route-for'
import { startConnecting } from '@/lib/edges/web/sign-in/external-sign-in'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('POST', startConnecting)
