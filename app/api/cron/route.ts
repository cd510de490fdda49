import { routeFor } from '@/lib/base/http/route-for'
import { answerCron } from '@/lib/server/run-due-jobs'

export const dynamic = 'force-dynamic'
/** The platform's time limit for the function, in seconds. Every Vercel plan allows this value. */
export const maxDuration = 300

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('GET', answerCron)
