import { signIn } from '@/lib/features/identity/people/sign-in'
import { signUp } from '@/lib/features/identity/people/sign-up'
import { answerPlainForm } from '../forms/answer-plain-form'
import { admitPerson } from './admit-person'

/** POST /login/submit: fields `email`, `password`, `next`. */
export const answerSignInForm = (request: Request) =>
  answerPlainForm(request, '/login', async (form) =>
    admitPerson(form, { ...(await signIn(form.visitor, form.input)), methods: ['pwd'] }),
  )

/** POST /signup/submit: fields `name`, `email`, `password`, `next`. */
export const answerSignUpForm = (request: Request) =>
  answerPlainForm(request, '/signup', async (form) =>
    admitPerson(form, { ...(await signUp(form.visitor, form.input)), methods: ['pwd'] }),
  )
