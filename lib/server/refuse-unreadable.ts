import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { requestIdHeader } from '@/lib/base/http/requests'
import { log } from '@/lib/base/log/log'
import { newRequestId } from '@/lib/base/log/request-scope'

/** The status that Node itself gives to what it cannot read. */
const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

type Unread = Socket & { _httpMessage?: { headersSent?: boolean } | null }

/** Answers what is no HTTP as Node does, with a name by which it is found in the log. */
export function nameUnreadable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Unread) => {
    const answering = socket._httpMessage
    if (!socket.writable || error.code === 'ECONNRESET' || answering?.headersSent) {
      socket.destroy(error)
      return
    }
    const status = statuses[error.code ?? ''] ?? 400
    const id = newRequestId()
    log.debug('a request could not be read', { requestId: id, status, error })
    socket.end(answerByHand(status, id), () => socket.destroy())
  })
}

/** An answer to what has no ServerResponse. */
export const answerByHand = (status: number, id: string, headers = '', text = ''): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${requestIdHeader}: ${id}\r\nConnection: close\r\n${headers}\r\n${text}`
