'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { retryJob, runJobNow } from '@/lib/features/instance-admin/jobs'

const shown = '/admin'

export const retryJobAction = changeAction((actor, { id = '' }) => retryJob(actor, id), shown)

export const runJobAction = changeAction((actor, { id = '' }) => runJobNow(actor, id), shown)
