import type { IncomingMessage } from 'node:http'
import { config } from '@/lib/base/config/env'
import { type Say, sayIn } from '@/lib/base/language/say'
import { messagePage } from './answers'
import { languageFrom } from './visitor'

/**
 * Reads a stream until it ends or exceeds the limit.
 * @returns the bytes that were read; these are more than `most` bytes only if the stream exceeds the limit
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

/** Thrown if a body is longer than allowed. Each edge returns its own response for this error. */
export class BodyTooLong extends Error {
  /** @param bytes the Content-Length, or the number of bytes received */
  constructor(readonly bytes: number) {
    super(`a body of ${bytes} bytes is too long`)
  }
}

/**
 * Reads and returns a request's body, and stops reading at the limit. If Content-Length exceeds the limit,
 * the body is not read at all. A Node request stays open, so that a response can still be sent.
 * @throws BodyTooLong if the body exceeds the limit, or the stream's error if the connection closes too early
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

/** The text fields of a form, by name. */
export type FormFields = Record<string, string>

/**
 * Returns the text fields of a form. Joins the values of a repeated field, such as checkboxes with the same
 * name, with line breaks. Omits React's own fields, whose names start with `$`. Removes NUL characters from
 * the values, because PostgreSQL can't store them. Our pages never send them.
 */
export function textFields(form: FormData): FormFields {
  const input: FormFields = {}
  for (const [name, value] of form) {
    if (typeof value !== 'string' || name.startsWith('$')) continue
    const text = value.replaceAll('\0', '')
    input[name] = Object.hasOwn(input, name) ? `${input[name]}\n${text}` : text
  }
  return input
}

/**
 * Splits the text of a field at its line breaks, which `textFields` puts between the values of a repeated
 * field. Omits empty lines, and returns an empty list if the field is missing. Accepts CRLF too, because
 * browsers send a line break in a value as CRLF.
 */
export const linesOf = (field: string | undefined): string[] => (field ?? '').split(/\r?\n/).filter(Boolean)

type HeaderSource = { get(name: string): string | null | undefined }

/**
 * Returns whether a form was sent from one of our own pages. Browsers send the Origin header with a POST
 * request. If it is missing, Sec-Fetch-Site is checked instead. If that is missing too, Referer is checked.
 * Returns false if all three headers are missing.
 */
export function isSameOrigin(headers: HeaderSource, origin: string = config().BASE_URL): boolean {
  const sent = headers.get('origin')
  if (sent) return sent === origin
  const site = headers.get('sec-fetch-site')
  if (site) return site === 'same-origin'
  const referer = headers.get('referer')
  return referer != null && URL.canParse(referer) && new URL(referer).origin === origin
}

/**
 * Rejects a form from another origin. Every route handler for a form calls this first, usually through
 * `readOwnForm`.
 * @returns undefined if one of our pages sent the form, or else a response with a 403 page
 */
export function refuseForeignOrigin(request: Request): Response | undefined {
  if (isSameOrigin(request.headers)) return undefined
  const { BASE_URL: address, serviceName: service } = config()
  const say = sayIn(languageFrom(request.headers))
  return messagePage({
    say,
    status: 403,
    title: say('form.foreign'),
    text: say('form.foreignWhy', { address }),
    link: { href: address, label: say('form.start', { service }) },
  })
}

/**
 * The maximum length of a form, in bytes. The longest form is the consent form, with the IDs of all selected
 * resources.
 */
const mostBytes = 256 * 1024

/**
 * Reads a form that one of our pages sent, up to the maximum length of a form.
 * @returns the text fields (empty if the form can't be parsed), or a response with an error page: 403 for a
 * form from another origin, 413 if the form is too long, 400 if it is incomplete
 */
export async function readOwnForm(request: Request): Promise<FormFields | Response> {
  const foreign = refuseForeignOrigin(request)
  if (foreign) return foreign
  try {
    const body = await readBody(request, mostBytes)
    const headers = { 'content-type': request.headers.get('content-type') ?? '' }
    return textFields(await new Response(body, { headers }).formData().catch(() => new FormData()))
  } catch (error) {
    const say = sayIn(languageFrom(request.headers))
    return error instanceof BodyTooLong ? tooLong(say) : brokenOff(say)
  }
}

/**
 * Returns the error page for an incomplete form. The user sees the page only if a proxy, and not the browser,
 * closed the connection.
 */
const brokenOff = (say: Say) =>
  messagePage({
    say,
    status: 400,
    title: say('form.broken'),
    text: say('form.brokenWhy'),
    link: toStart(say),
  })

const tooLong = (say: Say) =>
  messagePage({
    say,
    status: 413,
    title: say('form.tooLong'),
    text: say('form.tooLongWhy', { size: mostBytes / 1024 }),
    link: toStart(say),
  })

const toStart = (say: Say) => ({
  href: '/',
  label: say('form.start', { service: config().serviceName }),
})
