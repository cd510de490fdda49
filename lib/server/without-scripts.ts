import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { ruleOf } from '@/lib/base/http/addresses'

/**
 * Whether a request is for a page of plain forms (lib/base/http/addresses), which works without Next's scripts. Where we
 * own the Node server, those pages are sent without them; under `next start` or on Vercel they come with the scripts and
 * work the same.
 */
export function goesWithoutScripts(method: string | undefined, path: string): boolean {
  return method === 'GET' && ruleOf(path).withoutScripts === true
}

/** Next's scripts and what announces them; our own files (`/picker.js`) stay. */
export function withoutFrameworkScripts(html: string): string {
  return html
    .replace(/<link\b[^>]*\b(?:as="script"|rel="modulepreload")[^>]*>/g, '')
    .replace(/<script\b([^>]*)>[\s\S]*?<\/script>/g, (script, attributes: string) =>
      /\bsrc="\/(?!_next\/)/.test(attributes) ? script : '',
    )
}

/**
 * Makes `response` send its page without framework scripts. Call it before handing both to Next. Anything that is not
 * a whole HTML page (redirects, navigations by the client router, server errors, which React shows by script) passes
 * through unchanged.
 */
export function sendWithoutScripts(request: IncomingMessage, response: ServerResponse): void {
  // A navigation by the client router asks for data, not for a page.
  if (request.headers.rsc !== undefined) return
  const gzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  // Next must not compress what is to be read here.
  delete request.headers['accept-encoding']
  const chunks: Buffer[] = []
  const take = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding | undefined))
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  const done = (...args: unknown[]) =>
    args.find((arg) => typeof arg === 'function') as (() => void) | undefined
  const { end, writeHead } = response

  // Headers given here could not be read or changed below.
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    response.statusCode = status
    const headers = rest.find((arg) => typeof arg === 'object') as OutgoingHttpHeaders | undefined
    for (const [name, value] of Object.entries(headers ?? {}))
      if (value !== undefined) response.setHeader(name, value)
    return response
  }) as ServerResponse['writeHead']
  response.flushHeaders = () => {}
  response.write = ((chunk: unknown, encoding?: unknown, callback?: unknown) => {
    take(chunk, typeof encoding === 'string' ? encoding : 'utf8')
    done(encoding, callback)?.()
    return true
  }) as ServerResponse['write']
  response.end = ((chunk?: unknown, encoding?: unknown, callback?: unknown) => {
    take(chunk, typeof encoding === 'string' ? encoding : 'utf8')
    let body = Buffer.concat(chunks)
    const page = String(response.getHeader('content-type') ?? '').startsWith('text/html')
    if (page && response.statusCode < 500) {
      body = Buffer.from(withoutFrameworkScripts(body.toString('utf8')))
      response.removeHeader('etag')
      response.removeHeader('transfer-encoding')
      if (gzip && body.length > 1024) {
        body = gzipSync(body)
        response.setHeader('content-encoding', 'gzip')
      }
      response.appendHeader('vary', 'accept-encoding')
      response.setHeader('content-length', body.length)
    }
    response.writeHead = writeHead
    return end.call(response, body, 'utf8', done(chunk, encoding, callback))
  }) as ServerResponse['end']
}
