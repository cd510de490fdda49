import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { config } from '@/lib/base/config/env'
import { bodyLimitOf } from '@/lib/base/http/addresses'
import { messagePage } from '@/lib/base/http/answers'
import { languageFrom } from '@/lib/base/http/visitor'
import { sayIn } from '@/lib/base/language/say'

/** How much of a refused body is read and discarded, and for how long, so that the client gets to read the response. */
const discardedBytes = 64 * 1024 * 1024
const discardingMs = 15_000

/**
 * Checks the size of a request's body before a handler sees the request. A body without a stated length is read ahead up to
 * the limit and put back, because a handler that has begun to read cannot be stopped cleanly.
 * A request without a body costs the look at two headers.
 * @returns the limit in bytes if the body is longer; undefined if the request can be handled
 */
export async function exceededLimit(req: IncomingMessage, path: string): Promise<number | undefined> {
  const stated = req.headers['content-length']
  const isChunked = req.headers['transfer-encoding'] !== undefined
  if (stated === undefined && !isChunked) return undefined
  const { most, isUpload } = bodyLimitOf(path)
  if (!isChunked) return Number(stated) > most ? most : undefined
  // Nothing reads the body of a GET, and the handler of an upload reads no further than its own limit.
  if (req.method === 'GET' || req.method === 'HEAD' || isUpload) return undefined
  return (await readAhead(req, most)) ? undefined : most
}

/** Reads a body of unknown length and puts it back. @returns false as soon as it is too long */
async function readAhead(req: IncomingMessage, most: number): Promise<boolean> {
  const chunks: Buffer[] = []
  let size = 0
  let stop = () => {}
  // An empty body is never read here: its end would be noticed, and a handler that waits for it would wait forever.
  const isEmpty = () => req.complete && size === 0 && req.readableLength === 0
  await nextTurn()
  if (isEmpty()) return true
  const fits = await new Promise<boolean>((resolve) => {
    const take = () => {
      if (isEmpty()) return resolve(true)
      for (let chunk = req.read(); chunk !== null && size <= most; chunk = req.read()) {
        chunks.push(chunk)
        size += chunk.length
      }
      if (size > most) return resolve(false)
      if (!req.complete || req.readableLength > 0) return
      // Before the stream notices its end, after which nothing can be put back.
      if (size > 0) req.unshift(Buffer.concat(chunks))
      resolve(true)
    }
    const end = () => resolve(true)
    req.on('readable', take).on('end', end).on('close', end)
    stop = () => req.off('readable', take).off('end', end).off('close', end)
  })
  stop()
  // The stream forgets that it was read by events, so that the next reader can choose its own way.
  await nextTurn()
  return fits
}

/** Returns the page that says how long a form can be. */
const tooLongPage = (headers: { get(name: string): string | null }, most: number): Response => {
  const say = sayIn(languageFrom(headers))
  return messagePage({
    say,
    status: 413,
    title: say('form.tooLong'),
    text: say('form.tooLongWhy', { size: most / 1024 }),
    link: { href: '/', label: say('form.start', { service: config().SERVICE_NAME }) },
  })
}

/**
 * Responds with 413 while the client is still sending its body, and lets the client read the response: closing a connection
 * with unread data resets it and loses the response. What keeps coming is discarded, up to a limit.
 * @param most the limit in bytes, for the message
 */
export async function refuseBody(req: IncomingMessage, res: ServerResponse, most: number): Promise<void> {
  const headers = { get: (name: string) => (req.headers[name] as string | undefined) ?? null }
  const page = tooLongPage(headers, most)
  const html = Buffer.from(await page.arrayBuffer())
  let discarded = 0
  const finish = () => {
    clearTimeout(timer)
    res.end()
  }
  const timer = setTimeout(finish, discardingMs).unref()
  // The length completes the response for the client although the connection stays open a while.
  res.writeHead(page.status, {
    ...Object.fromEntries(page.headers),
    'content-length': html.length,
    connection: 'close',
  })
  res.write(html)
  req.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > discardedBytes) finish()
  })
  req.once('end', finish).once('close', finish)
  if (req.readableEnded || req.complete) finish()
}
