import { revalidatePath } from 'next/cache'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { badInput } from '@/lib/base/errors/app-error'
import { toUserError } from '@/lib/base/http/answers'
import { textFields } from '@/lib/base/http/body'
import { safeNext, signInPath } from '@/lib/base/http/safe-next'
import type { SessionActor } from '@/lib/policy/actor'
import { currentSession, currentSignIn } from '../current-session'
import { refuseForm } from './answer-form'
import type { FormAction, FormState } from './form-state'

type Work<Result> = (actor: SessionActor, input: Record<string, string>) => Promise<Result>

/**
 * Returns the server action of a dashboard form for the signed-in user. Next.js has already checked the
 * Origin header. See ADR 0030.
 * @param work the domain call, which receives the text fields and returns the state's `result`
 * @param shown the route to revalidate after success, including all pages below it
 * @param who returns the session to use
 * @returns an action for `useActionState`, whose next state contains the result, the errors and typed values
 *   (`refuseForm`), or the failure `signedOut`
 */
export const formAction =
  <Result>(work: Work<Result>, shown?: string, who = currentSession): FormAction<Result> =>
  async (previous, form) => {
    const session = await who()
    if (!session) return signedOut(previous)
    const input = textFields(form)
    const turn = previous.turn + 1
    try {
      const result = await work(session.actor, input)
      if (shown) revalidatePath(shown, 'layout')
      return { values: {}, fields: {}, turn, result }
    } catch (error) {
      const refusal = toUserError(error)
      await noteRefusal(refusal.message)
      return { ...refuseForm(refusal, input), turn }
    }
  }

/**
 * Returns the server action of a form without a result. After success, redirects to the path in the field
 * `back`, if the form has one. The redirect leads from the page of a deleted object to its list, and also
 * works in browsers without JavaScript.
 */
export const changeAction = (work: Work<unknown>, shown?: string): FormAction =>
  formAction(async (actor, { back, ...input }) => {
    await work(actor, input)
    if (back) redirect(safeNext(back))
    return true as const
  }, shown)

/**
 * Returns the server action of a form that sets up required two-factor authentication. Unlike other actions,
 * it also accepts a session that still lacks two-factor authentication.
 */
export const enrolAction = <Result>(work: Work<Result>): FormAction<Result> =>
  formAction(work, '/two-factor', currentSignIn)

/** Requires the user to type the name of the object to delete. @throws AppError BAD_USER_INPUT */
export function requireTyped(name: string, input: Record<string, string>): void {
  if (input.confirm !== name) throw badInput('confirm', `Type ${name} exactly as it is shown.`)
}

/**
 * Handles a form that was sent after the user's session had ended. With JavaScript, returns a failure, for
 * which the page keeps the input and asks the user to sign in in another tab. Without JavaScript, redirects
 * the browser to the sign-in page.
 */
async function signedOut<Result>(previous: FormState<Result>): Promise<FormState<Result>> {
  if (!(await headers()).has('next-action')) redirect(signInPath(await pageOfForm()))
  return { ...previous, failure: 'signedOut' }
}

async function pageOfForm(): Promise<string> {
  const referer = (await headers()).get('referer')
  if (!referer || !URL.canParse(referer)) return '/'
  const { pathname, search } = new URL(referer)
  return safeNext(pathname + search)
}

/**
 * The error of each request's form action, keyed by the request's headers. Next.js passes the same headers
 * object to an action and to the page that follows.
 */
const refusals = new WeakMap<object, string>()

/**
 * Stores a form action's error, so that the page can show the error without JavaScript. In a browser without
 * JavaScript, the page is rendered in the same request. The page might no longer contain the form, for
 * example because the row was deleted or the user's role changed.
 */
async function noteRefusal(reason: string): Promise<void> {
  refusals.set(await headers(), reason)
}

/** Returns the error of the form action in this request, if any. */
export const notedRefusal = async (): Promise<string | undefined> => refusals.get(await headers())
