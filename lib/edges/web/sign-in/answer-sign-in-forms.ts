import { seeOther } from '@/lib/base/http/answers'
import { readOwnForm } from '@/lib/base/http/body'
import { safeNext, signInPath } from '@/lib/base/http/safe-next'
import { visitorFrom } from '@/lib/base/http/visitor'
import { confirmEmail } from '@/lib/features/identity/email/confirm-email'
import {
  passkeyRequestOptions,
  secondStepOptions,
  signInWithPasskey,
  verifyPasskeyStep,
} from '@/lib/features/identity/passkeys/sign-in-with-passkey'
import { endOwnSession } from '@/lib/features/identity/sessions/end-session'
import { sessionFromCookies, signInFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { clearedSessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import type { ProvenUser } from '@/lib/features/identity/sessions/start-session'
import { secondStepToken } from '@/lib/features/identity/two-factor/pending-sign-in'
import { verifyCode } from '@/lib/features/identity/two-factor/verify-code'
import { requestPasswordReset } from '@/lib/features/identity/users/request-password-reset'
import { resetPassword } from '@/lib/features/identity/users/reset-password'
import { signIn } from '@/lib/features/identity/users/sign-in'
import { beginSignUp, finishSignUp, signUp } from '@/lib/features/identity/users/sign-up'
import { confirmsFirst } from '@/lib/features/identity/users/sign-up-policy'
import { answerForm, answerJson, clearedFlashCookie, type SubmittedForm } from '../forms/answer-form'
import { completeSignIn } from './complete-sign-in'

/** Handles POST /login/submit: fields `email`, `password`, `next`. */
export const answerSignInForm = (request: Request) =>
  answerForm(request, '/login', (form) =>
    completeSignIn(form, 'password', byPassword(signIn(form.visitor, form.input))),
  )

/**
 * Handles POST /signup/submit: fields `name`, `email`, `password`, `next`. If the email address must be
 * confirmed first, the form sends only `email` and `next`. The page that the emailed link opens then sends
 * `token`, `name`, and `password`.
 */
export const answerSignUpForm = (request: Request) =>
  answerForm(
    request,
    '/signup',
    async (form) => {
      if (form.input.token) return finish(form)
      if (confirmsFirst()) {
        await beginSignUp(form.visitor, form.input, form.next)
        return seeOther('/signup?state=sent', [clearedFlashCookie('/signup')])
      }
      return completeSignIn(form, 'sign-up', byPassword(signUp(form.visitor, form.input, form.next)))
    },
    ['token'],
  )

async function finish(form: SubmittedForm): Promise<Response> {
  const account = finishSignUp(form.visitor, form.input)
  // Use the path that the token contains, because the emailed URL has no `next` parameter.
  const next = await account.then((made) => made.next).catch(() => '/')
  return completeSignIn({ ...form, next }, 'sign-up', byPassword(account))
}

const byPassword = async (user: Promise<ProvenUser>) => {
  const { userId, passwordHash } = await user
  return { userId, passwordHash, methods: ['pwd' as const] }
}

/** Handles POST /login/passkey/options: returns the options to sign in with only a passkey. */
export const answerPasskeyOptions = (request: Request) => answerJson(request, passkeyRequestOptions)

/** Handles POST /login/passkey: fields `response` (the browser's response as JSON), `next`. */
export const answerPasskeySignIn = (request: Request) =>
  answerForm(request, '/login', (form) =>
    completeSignIn(form, 'passkey', signInWithPasskey(form.visitor, form.input)),
  )

/** Handles POST /login/verify/options: returns the options for a passkey as the second factor. */
export const answerSecondStepOptions = (request: Request) =>
  answerJson(request, () => secondStepOptions(secondStepToken(request)))

/** Handles POST /login/verify/passkey: fields `response`, `next`. */
export const answerSecondStepPasskey = (request: Request) =>
  answerForm(request, '/login/verify', (form) =>
    completeSignIn(form, 'second-step-passkey', verifyPasskeyStep(secondStepToken(request), form.input)),
  )

/** Handles POST /login/verify/submit: fields `code`, `next`. */
export const answerSecondStepCode = (request: Request) =>
  answerForm(request, '/login/verify', (form) =>
    completeSignIn(form, 'second-step-code', verifyCode(form.visitor, secondStepToken(request), form.input)),
  )

/** Handles POST /forgot-password/submit: field `email`. The response is the same for every email address. */
export const answerForgotPassword = (request: Request) =>
  answerForm(request, '/forgot-password', async ({ visitor, input }) => {
    await requestPasswordReset(visitor, input)
    return seeOther('/forgot-password?state=sent', [clearedFlashCookie('/forgot-password')])
  })

/** Handles POST /reset-password/submit: fields `token`, `password`. */
export const answerResetPassword = (request: Request) =>
  answerForm(
    request,
    '/reset-password',
    async ({ visitor, input }) => {
      const { cleared } = await resetPassword(visitor, input)
      const state = cleared ? 'cleared' : 'done'
      return seeOther(`/reset-password?state=${state}`, [clearedFlashCookie('/reset-password')])
    },
    ['token'],
  )

/**
 * Handles POST /verify-email/submit: field `token`. Requires a session of the account that requested the
 * link. If no one is signed in, redirects to the sign-in page.
 */
export const answerVerifyEmail = (request: Request) =>
  answerForm(
    request,
    '/verify-email',
    async ({ request, visitor, input: { token = '' } }) => {
      const session = await sessionFromCookies(request.headers.get('cookie') ?? undefined, visitor)
      if (!session) return seeOther(signInPath(`/verify-email?${new URLSearchParams({ token })}`))
      await confirmEmail(session.actor, token)
      return seeOther('/verify-email?state=done', [clearedFlashCookie('/verify-email')])
    },
    ['token'],
  )

/**
 * Handles POST /logout: revokes the session, so that copies of the cookie stop working. Also deletes the
 * cookie, and redirects to the sign-in page. The oidc-provider session also ends, because it is valid only as
 * long as the browser session. The optional `next` field is the page to open after the next sign-in.
 */
export async function answerSignOut(request: Request): Promise<Response> {
  const form = await readOwnForm(request)
  if (form instanceof Response) return form
  const cookies = request.headers.get('cookie') ?? undefined
  const session = await signInFromCookies(cookies, visitorFrom(request.headers))
  if (session) await endOwnSession(session.actor)
  return seeOther(signInPath(safeNext(form.next)), [clearedSessionCookie()])
}
