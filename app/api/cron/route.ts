import { routeFor } from '@/lib/base/http/route-for'
import { answerCron } from '@/lib/server/run-due-jobs'

export const dynamic = 'force-dynamic'
/** The time limit of the platform, in seconds. Every plan of Vercel allows it. */
export const maxDuration = 300

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET', answerCron)
