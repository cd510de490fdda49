import { routeFor } from '@/lib/base/http/route-for'
import { answerCron } from '@/lib/server/run-due-jobs'

export const dynamic = 'force-dynamic'
/** Seconds that the platform lets it take; every plan of Vercel's has as many. */
export const maxDuration = 300

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET', answerCron)
