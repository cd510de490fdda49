import { signIn } from '@/lib/features/identity/people/sign-in'
import { signUp } from '@/lib/features/identity/people/sign-up'
import { answerForm } from '../forms/answer-form'
import { completeSignIn } from './complete-sign-in'

/** POST /login/submit: fields `email`, `password`, `next`. */
export const answerSignInForm = (request: Request) =>
  answerForm(request, '/login', async (form) =>
    completeSignIn(form, { ...(await signIn(form.visitor, form.input)), methods: ['pwd'] }),
  )

/** POST /signup/submit: fields `name`, `email`, `password`, `next`. */
export const answerSignUpForm = (request: Request) =>
  answerForm(request, '/signup', async (form) =>
    completeSignIn(form, { ...(await signUp(form.visitor, form.input)), methods: ['pwd'] }),
  )
