import { seeOther } from '@/lib/base/http/answers'
import { signIn } from '@/lib/features/identity/people/sign-in'
import { beginSignUp, finishSignUp, signUp } from '@/lib/features/identity/people/sign-up'
import { confirmsFirst } from '@/lib/features/identity/people/sign-up-policy'
import type { ProvenPerson } from '@/lib/features/identity/sessions/hold-proof'
import { answerForm, type SubmittedForm } from '../forms/answer-form'
import { clearedFlashCookie } from '../forms/form-flash'
import { completeSignIn } from './complete-sign-in'

/** POST /login/submit: fields `email`, `password`, `next`. */
export const answerSignInForm = (request: Request) =>
  answerForm(request, '/login', (form) =>
    completeSignIn(form, 'password', byPassword(signIn(form.visitor, form.input))),
  )

/**
 * POST /signup/submit: fields `name`, `email`, `password`, `next`; where an address is confirmed first, `email` and `next`, and with
 * the link that is mailed then, `token`, `name`, `password`.
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
  // The way on stands in the link, which the person asked for themselves.
  const next = await account.then((made) => made.next).catch(() => '/')
  return completeSignIn({ ...form, next }, 'sign-up', byPassword(account))
}

const byPassword = async (person: Promise<ProvenPerson>) => {
  const { userId, passwordHash } = await person
  return { userId, passwordHash, methods: ['pwd' as const] }
}
