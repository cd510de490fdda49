import { cookies } from 'next/headers'
import { badInput } from '@/lib/base/errors/app-error'
import { messagePage, seeOther, toUserError } from '@/lib/base/http/answers'
import { BodyTooLong, readBody, refuseForeignOrigin } from '@/lib/base/http/body'
import { signInPath } from '@/lib/base/http/safe-next'
import { sayIn } from '@/lib/base/language/say'
import { refuseSize } from '@/lib/features/pictures/draw-picture'
import { pictureLimits } from '@/lib/features/pictures/rules'
import type { SessionActor } from '@/lib/policy/actor'
import { currentSession } from '../current-session'
import { flashCookie, readFlash } from './answer-form'

/** An image form on a page. */
export type PictureChange = {
  /** The form's ID on the page. If the form is rejected, the page's `?error` parameter contains this ID. */
  at: string
  set: (actor: SessionActor, file: Uint8Array) => Promise<unknown>
  remove: (actor: SessionActor) => Promise<void>
}

/**
 * Handles a form that uploads an image or, with its `remove` button, deletes the image. The form works
 * without JavaScript. If no one is signed in, redirects to the sign-in page. For NOT_FOUND and FORBIDDEN,
 * returns a 404 page. All other errors of the change are shown next to the field.
 * @param page the path of the form's page
 */
export async function answerPictureForm(
  request: Request,
  page: string,
  change: PictureChange,
): Promise<Response> {
  const foreign = refuseForeignOrigin(request)
  if (foreign) return foreign
  const session = await currentSession()
  if (!session) return seeOther(signInPath(page))
  try {
    const form = await readUpload(request)
    await (form.has('remove') ? change.remove(session.actor) : change.set(session.actor, await fileOf(form)))
    return seeOther(`${page}#${change.at}`)
  } catch (thrown) {
    const error = toUserError(thrown)
    if (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN') {
      const link = { href: '/', label: 'Go to the start page' }
      // Use English, because the console that contains the form is in English.
      const say = sayIn('en')
      return messagePage({ say, status: 404, title: 'Page not found', text: error.message, link })
    }
    const fields = { picture: error.message }
    const flash = flashCookie(page, { fields, values: {} })
    // The URL has no fragment, because a browser that scrolls to a fragment does not move the focus to the
    // field.
    return seeOther(`${page}?error=${change.at}`, [flash])
  }
}

/**
 * Returns the error of the last submission of an image form, or undefined if the submission was not rejected.
 * @param error the page's `?error`
 * @param at the form's ID
 */
export async function pictureRefusal(
  error: string | string[] | undefined,
  at: string,
): Promise<string | undefined> {
  return error === at ? readFlash(await cookies(), true)?.fields.picture : undefined
}

/** The maximum size of a form without its file, in bytes. */
const overhead = 16 * 1024

/**
 * Reads an upload form up to the size limit. Rejects a form with a larger Content-Length without reading it.
 * @throws AppError BAD_USER_INPUT at `picture` if the form is too large, incomplete, or malformed
 */
export async function readUpload(request: Request): Promise<FormData> {
  const body = await readBody(request, pictureLimits.bytes + overhead).catch((error) => {
    throw error instanceof BodyTooLong ? refuseSize(error.bytes) : brokenOff()
  })
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  return new Response(body, { headers }).formData().catch(() => {
    throw brokenOff()
  })
}

const brokenOff = () => badInput('picture', 'The upload was incomplete. Send the file again.')

/**
 * Returns the bytes of the uploaded file. @throws AppError BAD_USER_INPUT at `picture` if there is no file
 */
async function fileOf(form: FormData): Promise<Uint8Array> {
  const file = form.get('picture')
  if (!(file instanceof Blob)) throw badInput('picture', 'Choose a file first.')
  return new Uint8Array(await file.arrayBuffer())
}
