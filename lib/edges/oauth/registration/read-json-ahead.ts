import type { IncomingMessage } from 'node:http'
import { readStart } from '@/lib/base/http/body'

/** A body that cannot be taken, with the status to answer. */
export class BodyProblem extends Error {
  constructor(
    readonly status: 411 | 413,
    message: string,
  ) {
    super(message)
  }
}

type Json = Record<string, unknown>

/**
 * Bounds a JSON body before anybody else reads it, and lets it be changed on the way: it is read, and put back into the
 * stream. What is no JSON object is put back as it came, for the reader behind to refuse.
 * @param change makes the body that the reader behind sees
 * @throws BodyProblem when it is too long, or its length is not stated beforehand
 */
export async function readJsonAhead(
  req: IncomingMessage,
  mostBytes: number,
  change: (body: Json) => Promise<Json> | Json = (body) => body,
): Promise<void> {
  if (req.headers['content-length'] === undefined) {
    if (req.headers['transfer-encoding'] === undefined) return
    throw new BodyProblem(411, 'the request must state its Content-Length')
  }
  const length = Number(req.headers['content-length'])
  if (!(length <= mostBytes)) throw new BodyProblem(413, `the request must not exceed ${mostBytes} bytes`)
  if (length === 0) return
  // Stops with the last byte, before the end of the stream: after its end nothing could be put back.
  const sent = await readStart(req.iterator({ destroyOnReturn: false }), length - 1)
  const body = await rewrite(sent, change)
  req.headers['content-length'] = String(body.length)
  req.unshift(body)
}

async function rewrite(body: Buffer, change: (body: Json) => Promise<Json> | Json): Promise<Buffer> {
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString('utf8'))
  } catch {
    return body
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return body
  return Buffer.from(JSON.stringify(await change(parsed as Json)))
}
