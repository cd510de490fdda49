'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { retryJob, runJobNow } from '@/lib/features/operator/jobs'

const shown = '/operator'

export const retryJobAction = changeAction((actor, { id = '' }) => retryJob(actor, id), shown)

export const runJobAction = changeAction((actor, { id = '' }) => runJobNow(actor, id), shown)
