import type { IncomingMessage } from 'node:http'
import { config } from '@/lib/base/config/env'
import { type Say, sayIn } from '@/lib/base/language/say'
import { messagePage } from './answers'
import { languageFrom } from './visitor'

/**
 * Reads a stream until it has more than some bytes.
 * @returns more than `most` bytes exactly if the stream is longer than that
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

/** A body that is longer than allowed. Each edge has its own response to it. */
export class BodyTooLong extends Error {
  /** @param bytes the stated length, or how much was received */
  constructor(readonly bytes: number) {
    super(`a body of ${bytes} bytes is too long`)
  }
}

/**
 * Returns the body of a request, read no further than the limit. A body with a greater Content-Length is not read at all. A
 * request of Node's stays open, so that it can still be answered.
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

/** The text fields of a form, by name. */
export type FormFields = Record<string, string>

/**
 * Returns the text fields of a form. A field that occurs more than once, such as checkboxes of one name, becomes lines. Leaves
 * out React's own fields, which start with `$`, and NUL, which PostgreSQL can't store and no field of a page contains.
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

/** Returns the values of a field that might occur more than once, or not at all. Browsers send a line break in a value as CRLF. */
export const linesOf = (field: string | undefined): string[] => (field ?? '').split(/\r?\n/).filter(Boolean)

type HeaderSource = { get(name: string): string | null | undefined }

/**
 * Whether a form was sent from a page of this product. Browsers send Origin with a POST. For the few that leave it out,
 * Sec-Fetch-Site or Referer decides. If all three are missing, it was not.
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
 * Refuses a form of another origin. Every route handler of a form begins with this, mostly by `readOwnForm`.
 * @returns undefined if a page of ours sent the form, otherwise the 403 page to answer with
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

/** More than any form has; the longest is a consent, with the ID of each workspace and project that is shared. */
const mostBytes = 256 * 1024

/**
 * Reads a form that a page of ours sent, up to the longest that a form can be.
 * @returns its text fields, none if it can't be parsed, or the page to answer with: 403 for a form of another origin, 413 for
 *   one that is too long, 400 for one that is incomplete
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

/** A browser that went away reads no answer, but if only a proxy went away, its user does. */
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
