import { revalidatePath } from 'next/cache'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { badInput } from '@/lib/base/errors/app-error'
import { refusalOf } from '@/lib/base/http/answers'
import { textFields } from '@/lib/base/http/body'
import { safeNext, signInPath } from '@/lib/base/http/safe-next'
import type { SessionActor } from '@/lib/policy/actor'
import { currentSession, currentSignIn } from '../current-session'
import { refuseForm } from './answer-form'
import type { FormAction } from './form-state'

type Work<Result> = (actor: SessionActor, input: Record<string, string>) => Promise<Result>

/**
 * The server action of a form on a dashboard, for the person signed in. Next has checked the Origin before.
 * See ADR 0039.
 * @param work the domain call; it gets the text fields of the form, and what it returns becomes the state's `result`
 * @param shown the pages to draw anew when it worked: the route at their head
 * @param who whose form it is
 * @returns an action for `useActionState`, whose next state holds what an AppError says at its fields, with everything
 *   that had been typed, or the result
 */
export const formAction =
  <Result>(work: Work<Result>, shown?: string, who = currentSession): FormAction<Result> =>
  async (previous, form) => {
    const session = await who()
    if (!session) redirect(signInPath(await pageOfForm()))
    const input = textFields(form)
    const turn = previous.turn + 1
    try {
      const result = await work(session.actor, input)
      if (shown) revalidatePath(shown, 'layout')
      return { values: {}, fields: {}, turn, result }
    } catch (error) {
      const refusal = refusalOf(error)
      await noteRefusal(refusal.message)
      return { ...refuseForm(refusal, input), turn }
    }
  }

/** The same for a change of which nothing is told but that it was made. */
export const changeAction = (work: Work<unknown>, shown?: string): FormAction =>
  formAction(async (actor, input) => {
    await work(actor, input)
    return true as const
  }, shown)

/** The same as `formAction`, also for somebody who still owes the second factor that they set up by it. */
export const enrolAction = <Result>(work: Work<Result>): FormAction<Result> =>
  formAction(work, '/two-factor', currentSignIn)

/** Requires that the name of what is about to be destroyed was typed. @throws AppError BAD_USER_INPUT */
export function requireTyped(name: string, input: Record<string, string>): void {
  if (input.confirm !== name) throw badInput('confirm', `Type ${name} exactly as it is written.`)
}

async function pageOfForm(): Promise<string> {
  const referer = (await headers()).get('referer')
  if (!referer || !URL.canParse(referer)) return '/'
  const { pathname, search } = new URL(referer)
  return safeNext(pathname + search)
}

/** By the request; Next hands the same headers to an action and to the page that answers it. */
const refusals = new WeakMap<object, string>()

/**
 * Notes what a form's action refused. Without a script the page answers the same request, and what stood around the form
 * may be gone from it by then: a row deleted meanwhile, a button for a role that was taken away.
 */
async function noteRefusal(reason: string): Promise<void> {
  refusals.set(await headers(), reason)
}

/** What the form that this page answers was refused for, if it was. */
export const notedRefusal = async (): Promise<string | undefined> => refusals.get(await headers())
