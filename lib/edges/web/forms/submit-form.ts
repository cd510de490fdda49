import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { badInput } from '@/lib/base/errors/app-error'
import { refusalOf } from '@/lib/base/http/refusal-of'
import { safeNext, signInPath } from '@/lib/base/http/safe-next'
import type { SessionActor } from '@/lib/policy/actor'
import { currentSession } from '../sign-in/current-session'
import type { FormState } from './form-state'
import { keptValues } from './kept-values'
import { textFields } from './text-fields'
import { noteRefusal } from './told-refusal'

/**
 * Runs the server action of a dashboard's form for the person signed in. Next has checked the Origin before.
 * @param previous the state that `useActionState` handed in
 * @param work the domain call; it gets the text fields of the form, and what it returns becomes `result`
 * @returns the form's next state: with what an AppError says at its fields and everything that had been typed
 */
export async function submitForm<Result>(
  previous: FormState<Result>,
  form: FormData,
  work: (actor: SessionActor, input: Record<string, string>) => Promise<Result>,
): Promise<FormState<Result>> {
  const session = await currentSession()
  if (!session) redirect(signInPath(await pageOfForm()))
  const input = textFields(form)
  const turn = previous.turn + 1
  try {
    return { values: {}, fields: {}, turn, result: await work(session.actor, input) }
  } catch (error) {
    const refusal = refusalOf(error)
    await noteRefusal(refusal.message)
    const fields = refusal.details.fields ?? {}
    const message = Object.keys(fields).length === 0 ? refusal.message : undefined
    return { values: keptValues(input), fields, turn, ...(message ? { message } : {}) }
  }
}

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
