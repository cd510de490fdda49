import { routeFor } from '@/lib/base/http/route-for'
import { answerDeviceDecision } from '@/lib/edges/oauth/interaction/device-forms'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('POST', answerDeviceDecision)
