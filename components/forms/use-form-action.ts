'use client'
import { unstable_isUnrecognizedActionError as isUnrecognizedAction } from 'next/navigation'
import { useActionState } from 'react'
import { type Failure, type FormAction, type FormState, untouched } from '@/lib/edges/web/forms/form-state'
import { useSay } from '../ui/use-say'
import { useScripted } from './hydration'

type Say = ReturnType<typeof useSay>

/**
 * Wraps the server action of a form. If the action's request fails (offline, a proxy that restarts, an ended
 * session), the form keeps all its input, `state.message` describes the failure, and the same button tries
 * again. Without JavaScript, the form posts as is.
 * @returns the state to show, the `action` of the form, and whether the action is running
 */
export function useFormAction<Result>(
  action: FormAction<Result>,
): [state: FormState<Result>, submit: (form: FormData) => void, pending: boolean] {
  const say = useSay()
  const [posted, post, posting] = useActionState<FormState<Result>, FormData>(action, untouched)
  const [state, run, pending] = useActionState(
    (previous: FormState<Result>, form: FormData) => attempt(action, previous, form, say),
    posted,
  )
  // If the user sends the form before the page is hydrated, the browser posts it as it does without
  // JavaScript. Return the newer of the two states.
  return [posted.turn > state.turn ? posted : state, useScripted() ? run : post, pending || posting]
}

/**
 * Runs the server action of a form and turns a failed request into a state of the form. After a failure, the
 * form keeps its input. Call this function in the form's submit event.
 * @throws Next's internal signals, such as redirects
 */
export async function attempt<Result>(
  action: FormAction<Result>,
  previous: FormState<Result>,
  form: FormData,
  say: Say,
): Promise<FormState<Result>> {
  const element = submitted
  try {
    const next = await action(withoutFailure(previous), form)
    if (!next.failure) return next
    keepInput(element)
    return { ...next, message: sentenceOf(next.failure, undefined, say) }
  } catch (error) {
    const digest = digestOf(error)
    if (digest?.startsWith('NEXT_')) throw error
    keepInput(element)
    const failure = failureOf(error, navigator.onLine)
    return { ...withoutFailure(previous), failure, message: sentenceOf(failure, digest, say) }
  }
}

/**
 * Returns the reason why a server action failed without a result.
 * @param online whether the browser has a network connection
 */
export function failureOf(error: unknown, online: boolean): Failure {
  if (!online) return 'offline'
  if (isUnrecognizedAction(error)) return 'updated'
  // If the connection fails, fetch throws a TypeError.
  if (error instanceof TypeError) return 'unreachable'
  return digestOf(error) === undefined ? 'unavailable' : 'broken'
}

/**
 * Returns the digest of an error: the reference that the server logged, or one of Next's internal signals.
 * Returns undefined if the error has no digest.
 */
function digestOf(error: unknown): string | undefined {
  const { digest } = (error ?? {}) as { digest?: unknown }
  return typeof digest === 'string' ? digest : undefined
}

const sentenceOf = (failure: Failure, reference: string | undefined, say: Say): string =>
  failure === 'broken' && reference !== undefined
    ? say('shared.brokenWith', { reference })
    : say(sentences[failure])

const sentences = {
  offline: 'shared.offline',
  unreachable: 'shared.unreachable',
  unavailable: 'shared.unavailable',
  broken: 'shared.broken',
  updated: 'shared.updated',
  signedOut: 'shared.signedOut',
} as const satisfies Record<Failure, string>

/** Returns a state without a previous failure and its message. */
function withoutFailure<Result>(state: FormState<Result>): FormState<Result> {
  if (!state.failure) return state
  const { failure, message, ...rest } = state
  return rest
}

/**
 * The time limit for the server's response to a server action, in milliseconds. By default, the server's own
 * time limits for database statements and outgoing requests are shorter.
 */
const longestMs = 60_000

/**
 * Replaces `fetch` to limit the duration of server actions. Without a limit, a lost connection would keep the
 * form's button busy until the browser gives up. All other actions of the page would also wait, because Next
 * sends them one after another.
 */
function limitActions(): void {
  const send = window.fetch
  window.fetch = async (input, init) => {
    if (!new Headers(init?.headers).has('next-action')) return send(input, init)
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(new TypeError('timeout')), longestMs)
    return send(input, { ...init, signal: limit.signal }).finally(() => clearTimeout(timer))
  }
}

/** The form of the current submit event. React passes only the form's data to an action, not the form. */
let submitted: HTMLFormElement | undefined

if (typeof window !== 'undefined') {
  limitActions()
  window.addEventListener(
    'submit',
    ({ target }) => {
      submitted = target as HTMLFormElement
      setTimeout(() => {
        submitted = undefined
      })
    },
    true,
  )
}

/**
 * Prevents React's reset of the form after an action, so that the form keeps all input, even files and
 * secrets.
 */
function keepInput(form: HTMLFormElement | undefined): void {
  form?.addEventListener('reset', (event) => event.preventDefault(), { once: true })
}
