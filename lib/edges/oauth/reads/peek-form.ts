import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'

/** More than any introspection request of a usual client has. */
const mostBytes = 2_048

/** The fields of a form, each sent once. */
export type Form = Record<string, string | undefined>

/**
 * Looks at a form without taking it from the stream: whoever reads the request afterwards finds it whole.
 * @returns undefined for what is no short form in one piece, with a field sent twice or a length that is not stated
 */
export async function peekForm(req: IncomingMessage): Promise<Form | undefined> {
  const { headers } = req
  const length = Number(headers['content-length'])
  if (!(length > 0 && length <= mostBytes)) return undefined
  if (headers['content-type'] !== 'application/x-www-form-urlencoded') return undefined
  if (headers['content-encoding'] !== undefined || headers['transfer-encoding'] !== undefined)
    return undefined
  if (req.readableLength === 0) await once(req, 'readable')
  if (req.readableLength !== length) return undefined
  const body = req.read() as Buffer
  // At once, before the stream notices that it has come to its end.
  req.unshift(body)
  const form = parse(body.toString())
  for (const name in form) if (typeof form[name] !== 'string') return undefined
  return form as Form
}
