import { routeFor } from '@/lib/base/http/route-for'
import { answerLanguageForm } from '@/lib/edges/web/console/preferences'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('POST', answerLanguageForm)
