import type { ServerResponse } from 'node:http'
import { sendJson } from '@/lib/base/http/answers'

/**
 * Sends an answer as the engine sends one: not to be kept by caches, and open to every page, since no cookie counts.
 * @param exposed the headers that a page may read
 */
export const sendOpenJson = (res: ServerResponse, body: object, exposed: string): void =>
  sendJson(res, 200, body, {
    vary: 'Origin',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposed,
    'cache-control': 'no-store',
  })
