import type { IncomingMessage } from 'node:http'

/**
 * The bytes of a stream up to the chunk that makes them more than a number: the whole of a shorter stream.
 * @returns more than `most` bytes exactly when the stream holds more
 */
export async function readStart(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) break
  }
  return Buffer.concat(chunks)
}

/** A body that is longer than it may be. Each edge answers it in its own words. */
export class BodyTooLong extends Error {
  /** @param bytes how long it says that it is, or how much of it had come */
  constructor(readonly bytes: number) {
    super(`a body of ${bytes} bytes is too long`)
  }
}

/**
 * The body of a request, read no further than it may be long: one that states a greater length is not read at all. Node's
 * request stays open when it is refused, so that it can still be answered.
 * @throws BodyTooLong
 */
export async function readBody(
  request: Request | IncomingMessage,
  most: number,
): Promise<Buffer<ArrayBuffer>> {
  const [stated, stream] =
    'iterator' in request
      ? [request.headers['content-length'], request.iterator({ destroyOnReturn: false })]
      : [request.headers.get('content-length'), request.body ?? []]
  if (Number(stated ?? 0) > most) throw new BodyTooLong(Number(stated))
  const body = await readStart(stream, most)
  if (body.length > most) throw new BodyTooLong(body.length)
  return body
}
