import { log } from '@/lib/base/log/log'
import { outsideRequests } from '@/lib/base/log/request-scope'

/** Tells of a connection that the other end closed. It belongs to no request, though one opened it. */
export const tellLost = (error: Error): void =>
  outsideRequests(() => log.warn('a connection to the database was lost', { error }))
