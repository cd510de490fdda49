import { isAppError } from '@/lib/errors/app-error'
import { signIn } from '@/lib/people/sign-in'
import { signUp } from '@/lib/people/sign-up'
import type { Visitor } from '@/lib/people/visitor'
import { startSession } from '@/lib/sessions/start-session'
import { visitorFrom } from './current-session'
import { clearedFlashCookie, flashCookie } from './form-flash'
import { messagePage } from './message-page'
import { safeNext } from './safe-next'
import { refuseForeignOrigin } from './same-origin'
import { seeOther } from './see-other'
import { sessionFromCookies } from './session'
import { sessionCookie } from './session-cookie'

type Prove = (visitor: Visitor, input: Record<string, string>) => Promise<{ userId: string }>

async function readForm(request: Request): Promise<Record<string, string>> {
  const form = await request.formData().catch(() => new FormData())
  return Object.fromEntries(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

/**
 * The way of both forms at the door: the Origin is checked, the person proves or becomes themselves, a session starts
 * in place of the one this browser held, and the answer goes to `next`. What was refused goes back to the form with
 * everything typed but the password; too many tries are a 429 with Retry-After.
 */
async function answer(request: Request, page: '/login' | '/signup', prove: Prove): Promise<Response> {
  const foreign = refuseForeignOrigin(request)
  if (foreign) return foreign
  const { password = '', next: wanted, ...typed } = await readForm(request)
  const next = safeNext(wanted)
  const visitor = visitorFrom(request.headers)
  try {
    const { userId } = await prove(visitor, { ...typed, password })
    const before = await sessionFromCookies(request.headers.get('cookie') ?? undefined, visitor)
    const sid = await startSession(visitor, userId, ['pwd'], before?.actor.sessionId)
    return seeOther(next, [await sessionCookie({ sub: userId, sid }), clearedFlashCookie(page)])
  } catch (error) {
    if (!isAppError(error)) throw error
    const code = error.code.toLowerCase()
    const back = `${page}?${new URLSearchParams(next === '/' ? { error: code } : { error: code, next })}`
    const flash = flashCookie(page, {
      message: error.message,
      fields: error.details.fields ?? {},
      values: typed,
    })
    if (error.code !== 'RATE_LIMITED') return seeOther(back, [flash])
    return messagePage({
      status: 429,
      title: 'Too many attempts',
      text: error.message,
      link: { href: back, label: 'Back to the form' },
      headers: { 'retry-after': String(error.details.retryAfter ?? 60), 'set-cookie': flash },
    })
  }
}

/** POST /login/submit: fields `email`, `password`, `next`. */
export const answerSignInForm = (request: Request) => answer(request, '/login', signIn)

/** POST /signup/submit: fields `name`, `email`, `password`, `next`. */
export const answerSignUpForm = (request: Request) => answer(request, '/signup', signUp)
