import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { captureLog } from '@/lib/testing/captured-log'
import type { Engine } from '../engine/provider'
import { routes } from '../protocol/routes'
import { answerRead } from './reads'

it.each([
  ['a programming error, which it logs', new TypeError('a defect'), 1],
  ['a database outage, which it does not log', Object.assign(new Error(), { code: 'ECONNREFUSED' }), 0],
])('answerRead leaves the request to oidc-provider after %s', async (_, error, logged) => {
  const log = captureLog()
  const req = new IncomingMessage(new Socket())
  req.method = 'GET'
  Object.defineProperty(req.headers, 'authorization', {
    get() {
      throw error
    },
  })
  expect(await answerRead({} as Engine, routes.userinfo, req, new ServerResponse(req))).toBe(false)
  log.release()
  expect(log.entries().filter(({ level }) => level === 'error')).toHaveLength(logged)
})
