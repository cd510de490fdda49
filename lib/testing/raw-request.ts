import http from 'node:http'

export type RawRequest = {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
  /** The number of chunks in which the body is sent. */
  pieces?: number
}

export type RawAnswer = { status: number; headers: http.IncomingHttpHeaders; body: string }

/**
 * Sends a request with any method and headers, and with its body in one or more chunks. `fetch` would change
 * such a request. Adds Content-Length if the request has a body but no Transfer-Encoding header.
 */
export function sendRaw(base: string, { path, body, pieces = 1, ...rest }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunked = rest.headers?.['transfer-encoding'] !== undefined
    const length = body === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const req = http.request(new URL(path, base), { ...rest, headers: { ...length, ...rest.headers } })
    req.on('error', reject)
    req.on('response', (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
    req.setNoDelay(true)
    const size = Math.ceil((body?.length ?? 0) / pieces)
    const sendFrom = (at: number): void => {
      if (body === undefined || at >= body.length) req.end()
      else req.write(body.slice(at, at + size), () => setImmediate(sendFrom, at + size))
    }
    sendFrom(0)
  })
}
