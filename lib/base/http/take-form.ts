import { config } from '@/lib/base/config/env'
import { type Say, sayIn } from '@/lib/base/language/say'
import { type FormFields, textFields } from './form-fields'
import { languageFrom } from './language-of-request'
import { messagePage } from './message-page'
import { BodyTooLong, readBody } from './read-body'
import { refuseForeignOrigin } from './same-origin'

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
  label: say('form.start', { service: config().SERVICE_NAME }),
})
