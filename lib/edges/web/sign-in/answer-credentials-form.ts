import { signIn } from '@/lib/features/identity/people/sign-in'
import { signUp } from '@/lib/features/identity/people/sign-up'
import { answerForm } from '../forms/answer-form'
import { completeSignIn } from './complete-sign-in'

/** POST /login/submit: fields `email`, `password`, `next`. */
export const answerSignInForm = (request: Request) =>
  answerForm(request, '/login', (form) =>
    completeSignIn(form, 'password', byPassword(signIn(form.visitor, form.input))),
  )

/** POST /signup/submit: fields `name`, `email`, `password`, `next`. */
export const answerSignUpForm = (request: Request) =>
  answerForm(request, '/signup', (form) =>
    completeSignIn(form, 'sign-up', byPassword(signUp(form.visitor, form.input, form.next))),
  )

const byPassword = async (person: Promise<{ userId: string }>) => ({
  ...(await person),
  methods: ['pwd' as const],
})
