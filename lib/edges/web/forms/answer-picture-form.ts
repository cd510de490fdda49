import { cookies } from 'next/headers'
import { badInput } from '@/lib/base/errors/app-error'
import { messagePage, refusalOf, seeOther } from '@/lib/base/http/answers'
import { BodyTooLong, readBody, refuseForeignOrigin } from '@/lib/base/http/body'
import { signInPath } from '@/lib/base/http/safe-next'
import { sayIn } from '@/lib/base/language/say'
import { refuseSize } from '@/lib/features/pictures/draw-picture'
import { pictureLimits } from '@/lib/features/pictures/rules'
import type { SessionActor } from '@/lib/policy/actor'
import { currentSession } from '../current-session'
import { flashCookie, readFlash } from './answer-form'

/** A page's form for a picture: where it stands, and what it does. */
export type PictureChange = {
  /** Its id on the page, and what the page's `?error` says when its file was refused. */
  at: string
  set: (actor: SessionActor, file: Uint8Array) => Promise<unknown>
  remove: (actor: SessionActor) => Promise<void>
}

/**
 * Answers the form that sends a picture or, by its button `remove`, takes it away; it works without a script. What is
 * refused is said at the field of the page the form stands on.
 * @param page the path of that page
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
    const error = refusalOf(thrown)
    if (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN') {
      const link = { href: '/', label: 'Go to the start page' }
      // In English, as the console whose form it is.
      const say = sayIn('en')
      return messagePage({ say, status: 404, title: 'Page not found', text: error.message, link })
    }
    const fields = { picture: error.message }
    const flash = flashCookie(page, { fields, values: {} })
    // Without the fragment: a browser that goes to one does not move the focus to the field.
    return seeOther(`${page}?error=${change.at}`, [flash])
  }
}

/** What the last file sent by a form of this page was refused for. @param error the page's `?error` @param at the form's id */
export async function pictureRefusal(
  error: string | string[] | undefined,
  at: string,
): Promise<string | undefined> {
  return error === at ? readFlash(await cookies(), true)?.fields.picture : undefined
}

/** What a form adds around its file. */
const overhead = 16 * 1024

/**
 * The form of an upload, read no further than a picture may be large: what claims more is not read at all.
 * @throws AppError BAD_USER_INPUT at `picture`
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

/** The bytes of the file in a form. @throws AppError BAD_USER_INPUT at `picture` when none was chosen */
async function fileOf(form: FormData): Promise<Uint8Array> {
  const file = form.get('picture')
  if (!(file instanceof Blob)) throw badInput('picture', 'Choose a file first.')
  return new Uint8Array(await file.arrayBuffer())
}
