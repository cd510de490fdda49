import type { IncomingMessage } from 'node:http'
import { config } from '@/lib/base/config/env'
import { type Say, sayIn } from '@/lib/base/language/say'
import { messagePage } from './answers'
import { refuseForeignOrigin } from './origin'
import { languageFrom } from './visitor'

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

/** What a form said, by field name. */
export type FormFields = Record<string, string>

/**
 * The text fields of a form, whichever way it came: the one way in which a form of ours is read. One that occurs more than once, such as checkboxes of one name, becomes lines.
 * React's own start with a `$`. No field of a page can hold NUL, and PostgreSQL takes it in no text and no id, so it goes.
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

/** The values of a field that occurred more than once, or not at all. */
export const linesOf = (field: string | undefined): string[] => (field ?? '').split('\n').filter(Boolean)

/** More than any of these forms can hold; the longest is a consent, with an id for each thing that is shared. */
const mostBytes = 256 * 1024

/**
 * What every route handler that takes a form begins with: the form was sent from a page of ours, and it is read no further
 * than a form can be long.
 * @returns its text fields, none when it cannot be read, or the page to answer with: 403 for a form of another site, 413 for
 *   one that is too long, 400 for one that broke off
 */
export async function takeForm(request: Request): Promise<FormFields | Response> {
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

/** Whoever went away reads no answer; whoever has a proxy between that went away may. */
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
