import { routeFor } from '@/lib/base/http/route-for'
import { startCompanySignIn } from '@/lib/edges/web/sign-in/external-sign-in'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('POST', startCompanySignIn)
