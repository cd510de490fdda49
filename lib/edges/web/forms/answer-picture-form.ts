import { cookies } from 'next/headers'
import { messagePage, refusalOf, seeOther } from '@/lib/base/http/answers'
import { refuseForeignOrigin } from '@/lib/base/http/origin'
import { signInPath } from '@/lib/base/http/safe-next'
import { sayIn } from '@/lib/base/language/say'
import type { SessionActor } from '@/lib/policy/actor'
import { currentSession } from '../session/current-session'
import { flashCookie, readFlash } from './form-flash'
import { fileOf, readUpload } from './read-upload'

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
